// What wrappers use of the C++ library.
#pragma once

#include "std_algorithms.h"

namespace std {
typedef decltype(nullptr) nullptr_t;

template <class E> class initializer_list {
  const E* m_begin;
  size_t m_size;

public:
  constexpr initializer_list() : m_begin(nullptr), m_size(0) {}
  constexpr size_t size() const { return m_size; }
  constexpr const E* begin() const { return m_begin; }
  constexpr const E* end() const { return m_begin + m_size; }
};

template <class T> class vector {
public:
  vector();
  explicit vector(size_t);
  vector(size_t, const T&);
  vector(initializer_list<T>);
  vector(const vector&);
  vector(vector&&);
  vector& operator=(const vector&);
  ~vector();
  T& operator[](size_t);
  const T& operator[](size_t) const PLUMBLINE_HOST("unknown");
  T& at(size_t);
  const T& at(size_t) const PLUMBLINE_HOST("unknown");
  T& back();
  T& front();
  size_t size() const PLUMBLINE_HOST("unknown");
  bool empty() const PLUMBLINE_HOST("unknown");
  void push_back(const T&);
  template <class... A> void emplace_back(A&&...);
  void reserve(size_t);
  void resize(size_t);
  T* data();
  const T* data() const;
  T* begin();
  T* end();
  const T* begin() const;
  const T* end() const;
};

class string {
public:
  string();
  string(const char*);
  string(const string&);
  string& operator=(const string&);
  ~string();
  const char* c_str() const PLUMBLINE_HOST("unknown");
  size_t size() const PLUMBLINE_HOST("unknown");
  bool empty() const PLUMBLINE_HOST("unknown");
};
string operator+(const string&, const string&) PLUMBLINE_HOST("unknown");
string operator+(const char*, const string&) PLUMBLINE_HOST("unknown");
string operator+(const string&, const char*) PLUMBLINE_HOST("unknown");
bool operator==(const string&, const char*) PLUMBLINE_HOST("unknown");
bool operator!=(const string&, const char*) PLUMBLINE_HOST("unknown");
string to_string(int) PLUMBLINE_HOST("unknown");
string to_string(long) PLUMBLINE_HOST("unknown");
string to_string(unsigned) PLUMBLINE_HOST("unknown");
string to_string(double) PLUMBLINE_HOST("unknown");

struct exception {
  const char* what() const PLUMBLINE_HOST("unknown");
};
struct runtime_error : exception {
  explicit runtime_error(const char*);
  explicit runtime_error(const string&);
};
struct invalid_argument : exception {
  explicit invalid_argument(const char*);
  explicit invalid_argument(const string&);
};

struct ostream {};
template <class T> ostream& operator<<(ostream&, const T&) PLUMBLINE_HOST("ignored");
ostream& operator<<(ostream&, ostream& (*)(ostream&)) PLUMBLINE_HOST("ignored");
ostream& endl(ostream&);
extern ostream cout;
extern ostream cerr;

template <class A, class B> struct pair {
  A first;
  B second;
};
template <class... T> class tuple {
public:
  tuple(const T&...);
};
template <class... T> tuple<T...> make_tuple(const T&...) PLUMBLINE_HOST("list");
template <class T> class optional {
public:
  optional();
  optional(nullptr_t);
  optional(const T&);
  bool has_value() const PLUMBLINE_HOST("unknown");
  const T& value() const PLUMBLINE_HOST("unknown");
  explicit operator bool() const PLUMBLINE_HOST("unknown");
  const T& operator*() const PLUMBLINE_HOST("unknown");
};

double ceil(long) PLUMBLINE_HOST("unknown");
double ceil(int) PLUMBLINE_HOST("unknown");
} // namespace std

typedef struct PlumblineFile FILE;
extern FILE* stderr;
extern FILE* stdout;
extern "C" int fprintf(FILE*, const char*, ...) PLUMBLINE_HOST("ignored");
extern "C" void exit(int) __attribute__((noreturn)) PLUMBLINE_HOST("throws");
extern "C" void abort() __attribute__((noreturn)) PLUMBLINE_HOST("throws");
