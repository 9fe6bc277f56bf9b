// Built-in vector types: structures whose members are the lanes of one aligned access.
#pragma once

#define PLUMBLINE_VECTOR __attribute__((annotate("vector:")))
#define PLUMBLINE_MAKE __attribute__((annotate("expands:make-vector")))

struct PLUMBLINE_VECTOR float1 {
  float x;
};
__host__ __device__ float1 make_float1(float) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR float2 {
  float x, y;
};
__host__ __device__ float2 make_float2(float, float) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR float3 {
  float x, y, z;
};
__host__ __device__ float3 make_float3(float, float, float) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR float4 {
  float x, y, z, w;
};
__host__ __device__ float4 make_float4(float, float, float, float) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR double1 {
  double x;
};
__host__ __device__ double1 make_double1(double) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR double2 {
  double x, y;
};
__host__ __device__ double2 make_double2(double, double) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR double3 {
  double x, y, z;
};
__host__ __device__ double3 make_double3(double, double, double) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR double4 {
  double x, y, z, w;
};
__host__ __device__ double4 make_double4(double, double, double, double) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR int1 {
  int x;
};
__host__ __device__ int1 make_int1(int) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR int2 {
  int x, y;
};
__host__ __device__ int2 make_int2(int, int) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR int3 {
  int x, y, z;
};
__host__ __device__ int3 make_int3(int, int, int) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR int4 {
  int x, y, z, w;
};
__host__ __device__ int4 make_int4(int, int, int, int) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uint1 {
  unsigned x;
};
__host__ __device__ uint1 make_uint1(unsigned) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uint2 {
  unsigned x, y;
};
__host__ __device__ uint2 make_uint2(unsigned, unsigned) PLUMBLINE_MAKE;
__host__ __device__ uint3 make_uint3(unsigned, unsigned, unsigned) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uint4 {
  unsigned x, y, z, w;
};
__host__ __device__ uint4 make_uint4(unsigned, unsigned, unsigned, unsigned) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR char1 {
  signed char x;
};
__host__ __device__ char1 make_char1(signed char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR char2 {
  signed char x, y;
};
__host__ __device__ char2 make_char2(signed char, signed char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR char3 {
  signed char x, y, z;
};
__host__ __device__ char3 make_char3(signed char, signed char, signed char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR char4 {
  signed char x, y, z, w;
};
__host__ __device__ char4 make_char4(signed char, signed char, signed char, signed char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uchar1 {
  unsigned char x;
};
__host__ __device__ uchar1 make_uchar1(unsigned char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uchar2 {
  unsigned char x, y;
};
__host__ __device__ uchar2 make_uchar2(unsigned char, unsigned char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uchar3 {
  unsigned char x, y, z;
};
__host__ __device__ uchar3 make_uchar3(unsigned char, unsigned char, unsigned char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR uchar4 {
  unsigned char x, y, z, w;
};
__host__ __device__ uchar4 make_uchar4(unsigned char, unsigned char, unsigned char,
                                       unsigned char) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR short1 {
  short x;
};
__host__ __device__ short1 make_short1(short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR short2 {
  short x, y;
};
__host__ __device__ short2 make_short2(short, short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR short3 {
  short x, y, z;
};
__host__ __device__ short3 make_short3(short, short, short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR short4 {
  short x, y, z, w;
};
__host__ __device__ short4 make_short4(short, short, short, short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ushort1 {
  unsigned short x;
};
__host__ __device__ ushort1 make_ushort1(unsigned short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ushort2 {
  unsigned short x, y;
};
__host__ __device__ ushort2 make_ushort2(unsigned short, unsigned short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ushort3 {
  unsigned short x, y, z;
};
__host__ __device__ ushort3 make_ushort3(unsigned short, unsigned short, unsigned short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ushort4 {
  unsigned short x, y, z, w;
};
__host__ __device__ ushort4 make_ushort4(unsigned short, unsigned short, unsigned short,
                                         unsigned short) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR longlong1 {
  long long x;
};
__host__ __device__ longlong1 make_longlong1(long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR longlong2 {
  long long x, y;
};
__host__ __device__ longlong2 make_longlong2(long long, long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR longlong3 {
  long long x, y, z;
};
__host__ __device__ longlong3 make_longlong3(long long, long long, long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR longlong4 {
  long long x, y, z, w;
};
__host__ __device__ longlong4 make_longlong4(long long, long long, long long, long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulonglong1 {
  unsigned long long x;
};
__host__ __device__ ulonglong1 make_ulonglong1(unsigned long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulonglong2 {
  unsigned long long x, y;
};
__host__ __device__ ulonglong2 make_ulonglong2(unsigned long long, unsigned long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulonglong3 {
  unsigned long long x, y, z;
};
__host__ __device__ ulonglong3 make_ulonglong3(unsigned long long, unsigned long long,
                                               unsigned long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulonglong4 {
  unsigned long long x, y, z, w;
};
__host__ __device__ ulonglong4 make_ulonglong4(unsigned long long, unsigned long long, unsigned long long,
                                               unsigned long long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR long1 {
  long x;
};
__host__ __device__ long1 make_long1(long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR long2 {
  long x, y;
};
__host__ __device__ long2 make_long2(long, long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR long3 {
  long x, y, z;
};
__host__ __device__ long3 make_long3(long, long, long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR long4 {
  long x, y, z, w;
};
__host__ __device__ long4 make_long4(long, long, long, long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulong1 {
  unsigned long x;
};
__host__ __device__ ulong1 make_ulong1(unsigned long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulong2 {
  unsigned long x, y;
};
__host__ __device__ ulong2 make_ulong2(unsigned long, unsigned long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulong3 {
  unsigned long x, y, z;
};
__host__ __device__ ulong3 make_ulong3(unsigned long, unsigned long, unsigned long) PLUMBLINE_MAKE;
struct PLUMBLINE_VECTOR ulong4 {
  unsigned long x, y, z, w;
};
__host__ __device__ ulong4 make_ulong4(unsigned long, unsigned long, unsigned long,
                                       unsigned long) PLUMBLINE_MAKE;
