# yoke_test(name source.c)
