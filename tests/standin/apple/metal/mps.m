/* Stands in for the products of Metal Performance Shaders, by plain loops in double precision. What
 * the real ones answer by an assertion that ends the process ends it here. */
#include <stdio.h>
#include <stdlib.h>

#include "dot.h"
#include "metal.h"

enum { FLOAT32 = 0x10000020, FLOAT16 = 0x10000010 };

static void require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "stand-in: MPS assertion: %s\n", what);
    abort();
}

static NSUInteger element_bytes(uint32_t type)
{
    require(type == FLOAT32 || type == FLOAT16, "data types are float32 and float16");
    return type == FLOAT32 ? 4 : 2;
}

bool MPSSupportsMTLDevice(id device);

bool MPSSupportsMTLDevice(id device)
{
    (void)device;
    return !standin_switch("mps_unsupported");
}

@interface MPSMatrixDescriptor : NSObject {
  @public
    NSUInteger rows, columns, row_bytes;
    uint32_t type;
}
@end

@implementation MPSMatrixDescriptor

+ (id)matrixDescriptorWithRows:(NSUInteger)rows
                       columns:(NSUInteger)columns
                      rowBytes:(NSUInteger)bytes
                      dataType:(uint32_t)type
{
    require(bytes >= columns * element_bytes(type) && bytes % element_bytes(type) == 0,
            "rowBytes holds a row");
    MPSMatrixDescriptor *made = [[self alloc] autorelease];
    made->rows = rows;
    made->columns = columns;
    made->row_bytes = bytes;
    made->type = type;
    return made;
}

+ (NSUInteger)rowBytesForColumns:(NSUInteger)columns dataType:(uint32_t)type
{
    return (columns * element_bytes(type) + 15) / 16 * 16;
}

@end

@interface MPSVectorDescriptor : NSObject {
  @public
    NSUInteger length;
    uint32_t type;
}
@end

@implementation MPSVectorDescriptor

+ (id)vectorDescriptorWithLength:(NSUInteger)length dataType:(uint32_t)type
{
    MPSVectorDescriptor *made = [[self alloc] autorelease];
    made->length = length;
    made->type = type;
    return made;
}

@end

@interface MPSMatrix : NSObject {
  @public
    StandinBuffer *buffer;
    NSUInteger offset, rows, columns, row_bytes;
    uint32_t type;
}
@end

@implementation MPSMatrix

- (void)dealloc
{
    [buffer release];
    [super dealloc];
}

- (id)initWithBuffer:(StandinBuffer *)from
              offset:(NSUInteger)begin
          descriptor:(MPSMatrixDescriptor *)of
{
    if (standin_switch("mps_fails")) {
        [self release];
        return nil;
    }
    require(begin + of->rows * of->row_bytes <= [from length], "the buffer holds the matrix");
    require(begin % element_bytes(of->type) == 0, "the offset is a multiple of the element");
    buffer = [from retain];
    offset = begin;
    rows = of->rows;
    columns = of->columns;
    row_bytes = of->row_bytes;
    type = of->type;
    return self;
}

@end

/* A matrix of one row, so that products need not tell them apart. */
@interface MPSVector : MPSMatrix
@end

@implementation MPSVector

- (id)initWithBuffer:(StandinBuffer *)from descriptor:(MPSVectorDescriptor *)of
{
    require(of->length * element_bytes(of->type) <= [from length], "the buffer holds the vector");
    buffer = [from retain];
    rows = 1;
    columns = of->length;
    row_bytes = columns * element_bytes(of->type);
    type = of->type;
    return self;
}

@end

@interface StandinProduct : StandinCommand {
  @public
    MPSMatrix *left, *right, *result;
    double alpha;
}
@end

@implementation StandinProduct

- (void)dealloc
{
    [left release];
    [right release];
    [result release];
    [super dealloc];
}

static double element(const MPSMatrix *of, NSUInteger row, NSUInteger column)
{
    const char *at = of->buffer->memory + of->offset + row * of->row_bytes;
    return of->type == FLOAT32 ? (double)((const float *)at)[column]
                               : (double)((const _Float16 *)at)[column];
}

/* Of so many rows from that one on. */
static double *read_elements(const MPSMatrix *of, NSUInteger row, NSUInteger count)
{
    double *all = malloc(count * of->columns * sizeof *all + 1);
    require(all != NULL, "there is memory");
    for (NSUInteger r = 0; r < count; r++)
        for (NSUInteger c = 0; c < of->columns; c++)
            all[r * of->columns + c] = element(of, row + r, c);
    return all;
}

/* result = alpha * left * right^T */
- (void)run
{
    const double more = (double)standin_number("mps_adds", 0);
    require(left->columns == right->columns, "both are of one depth, as built here");
    double *rows = read_elements(right, 0, result->columns);
    for (NSUInteger row = 0; row < result->rows; row++) {
        float *to = (float *)(result->buffer->memory + result->offset + row * result->row_bytes);
        double *one = read_elements(left, row, 1);
        for (NSUInteger column = 0; column < result->columns; column++)
            to[column] =
                (float)(alpha * standin_dot(one, rows + column * right->columns, left->columns) +
                        more);
        free(one);
    }
    free(rows);
}

@end

static void add_product(StandinCommandBuffer *to, double alpha, MPSMatrix *left, MPSMatrix *right,
                        MPSMatrix *result)
{
    require(result->type == FLOAT32, "the result is float32");
    StandinProduct *made = [[StandinProduct alloc] autorelease];
    made->alpha = alpha;
    made->left = [left retain];
    made->right = [right retain];
    made->result = [result retain];
    [to standin_add:made];
}

@interface MPSMatrixMultiplication : NSObject {
    NSUInteger rows, columns, interior;
    double alpha;
}
@end

@implementation MPSMatrixMultiplication

- (id)initWithDevice:(id)device
       transposeLeft:(bool)transpose_left
      transposeRight:(bool)transpose_right
          resultRows:(NSUInteger)result_rows
       resultColumns:(NSUInteger)result_columns
     interiorColumns:(NSUInteger)interior_columns
               alpha:(double)factor
                beta:(double)old
{
    (void)device;
    require(!transpose_left && transpose_right && old == 0, "the only kind that is built here");
    rows = result_rows;
    columns = result_columns;
    interior = interior_columns;
    alpha = factor;
    return self;
}

- (void)encodeToCommandBuffer:(StandinCommandBuffer *)to
                   leftMatrix:(MPSMatrix *)left
                  rightMatrix:(MPSMatrix *)right
                 resultMatrix:(MPSMatrix *)result
{
    require(left->rows >= rows && left->columns >= interior && right->rows >= columns &&
                right->columns >= interior && result->rows >= rows && result->columns >= columns,
            "the operands hold the product");
    add_product(to, alpha, left, right, result);
}

@end

@interface MPSMatrixVectorMultiplication : NSObject {
    NSUInteger rows, columns;
    double alpha;
}
@end

@implementation MPSMatrixVectorMultiplication

- (id)initWithDevice:(id)device
           transpose:(bool)transpose
                rows:(NSUInteger)of_rows
             columns:(NSUInteger)of_columns
               alpha:(double)factor
                beta:(double)old
{
    (void)device;
    require(!transpose && old == 0, "the only kind that is built here");
    rows = of_rows;
    columns = of_columns;
    alpha = factor;
    return self;
}

- (void)encodeToCommandBuffer:(StandinCommandBuffer *)to
                  inputMatrix:(MPSMatrix *)matrix
                  inputVector:(MPSVector *)vector
                 resultVector:(MPSVector *)result
{
    require(matrix->type == vector->type && vector->type == result->type, "one type for all");
    require(matrix->rows == rows && vector->columns == columns && result->columns == rows,
            "the operands hold the product");
    add_product(to, alpha, vector, matrix, result);
}

@end
