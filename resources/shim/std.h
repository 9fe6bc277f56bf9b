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
  vector(const T*, const T*);
  vector(initializer_list<T>);
  vector(const vector&);
  vector(vector&&);
  vector& operator=(const vector&);
  ~vector();
  T& operator[](size_t) PLUMBLINE_HOST("size");
  const T& operator[](size_t) const PLUMBLINE_HOST("size");
  T& at(size_t) PLUMBLINE_HOST("size");
  const T& at(size_t) const PLUMBLINE_HOST("size");
  T& back() PLUMBLINE_HOST("unknown");
  const T& back() const PLUMBLINE_HOST("unknown");
  T& front() PLUMBLINE_HOST("unknown");
  size_t size() const PLUMBLINE_HOST("dim");
  bool empty() const PLUMBLINE_HOST("unknown");
  void push_back(const T&) PLUMBLINE_HOST("list-change-push");
  template <class... A> void emplace_back(A&&...) PLUMBLINE_HOST("list-change-push");
  void pop_back() PLUMBLINE_HOST("list-change-pop");
  void reserve(size_t) PLUMBLINE_HOST("list-reserve");
  void resize(size_t);
  T* erase(const T*) PLUMBLINE_HOST("list-change-erase");
  T* insert(const T*, const T&) PLUMBLINE_HOST("list-change-insert");
  T* data();
  const T* data() const;
  T* begin() PLUMBLINE_HOST("list-begin");
  T* end() PLUMBLINE_HOST("list-end");
  const T* begin() const PLUMBLINE_HOST("list-begin");
  const T* end() const PLUMBLINE_HOST("list-end");
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
template <size_t I, class F, class... R> struct PlumblineNth : PlumblineNth<I - 1, R...> {};
template <class F, class... R> struct PlumblineNth<0, F, R...> {
  typedef F type;
};
template <size_t I, class... T>
typename PlumblineNth<I, T...>::type get(const tuple<T...>&) PLUMBLINE_HOST("get");
template <class T> class optional {
public:
  optional();
  optional(nullptr_t);
  optional(const T&);
  bool has_value() const PLUMBLINE_HOST("defined");
  const T& value() const PLUMBLINE_HOST("same");
  explicit operator bool() const PLUMBLINE_HOST("defined");
  const T& operator*() const PLUMBLINE_HOST("same");
  const T* operator->() const PLUMBLINE_HOST("same");
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
