/* A stranger's program: one product on the CPU, by the installed library alone. */
#include <stdio.h>
#include <yoke/yoke.h>

int main(void)
{
    float w_data[] = {1, 2, 3, 4, 5, 6}, x_data[] = {1, 10, 100}, y_data[2];
    yoke_matrix w = {.format = YOKE_F32, .rows = 2, .cols = 3, .data = w_data},
                x = {YOKE_F32, 1, 3, 0, x_data};
    yoke_matrix y = {.format = YOKE_F32, .rows = 1, .cols = 2, .data = y_data};
    yoke_context *context = NULL;
    yoke_engine *engine = NULL;
    yoke_weight *weight = NULL;
    yoke_error err = {0};

    if (yoke_context_create(NULL, &context, &err) == YOKE_OK &&
        yoke_engine_open(context, "cpu", &engine, &err) == YOKE_OK &&
        yoke_weight_prepare(engine, &w, &weight, NULL, &err) == YOKE_OK)
        yoke_weight_multiply(weight, &x, &y, NULL, NULL, &err);
    yoke_weight_free(weight);
    yoke_engine_free(engine);
    yoke_context_free(context);
    printf("yoke %s: %g %g %s\n", yoke_version(), y_data[0], y_data[1], err.text);
    return err.status == YOKE_OK && y_data[0] == 321 && y_data[1] == 654 ? 0 : 1;
}
