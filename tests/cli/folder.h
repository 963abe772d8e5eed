/* What is left in a folder. */
#ifndef FOLDER_H
#define FOLDER_H

#include <dirent.h>

/* Call it after cmocka.h is included. */
static inline size_t folder_files(const char *folder)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    const struct dirent *entry;
    while ((entry = readdir(dir)))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count;
}

#endif
