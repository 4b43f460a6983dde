// SPDX-License-Identifier: MIT
#include "CHighlight.h"

#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <srchilite/formatter.h>
#include <srchilite/formattermanager.h>
#include <srchilite/highlightrule.h>
#include <srchilite/highlightstate.h>
#include <srchilite/langdefmanager.h>
#include <srchilite/regexrulefactory.h>
#include <srchilite/sourcehighlighter.h>
#include <unistd.h>

using namespace srchilite;

namespace {

struct Piece {
  int kind;
  int length;
};

struct Rule {
  enum Form { words, pattern, block } form;
  int kind;
  std::string first, last;
  bool has_escapes, is_nested;
};

struct Work {
  std::string folder, file;
  std::vector<Rule> rules;
  std::vector<Piece> pieces;
};

thread_local Work work;
// The number of bytes in all pieces.
thread_local size_t covered;

// The library has shared global state.
std::mutex turn;

// Maps the library's element names to our kinds. Other names are plain.
const std::map<std::string, int> kinds = {
    {"keyword", SCENE_CODE_KEYWORD},    {"type", SCENE_CODE_TYPE},
    {"usertype", SCENE_CODE_TYPE},      {"classname", SCENE_CODE_TYPE},
    {"selector", SCENE_CODE_TYPE},      {"string", SCENE_CODE_STRING},
    {"regexp", SCENE_CODE_STRING},      {"specialchar", SCENE_CODE_STRING},
    {"path", SCENE_CODE_STRING},        {"valquote", SCENE_CODE_STRING},
    {"value", SCENE_CODE_STRING},       {"comment", SCENE_CODE_COMMENT},
    {"todo", SCENE_CODE_COMMENT},       {"url", SCENE_CODE_COMMENT},
    {"number", SCENE_CODE_NUMBER},      {"atom", SCENE_CODE_NUMBER},
    {"date", SCENE_CODE_NUMBER},        {"time", SCENE_CODE_NUMBER},
    {"preproc", SCENE_CODE_META},       {"label", SCENE_CODE_META},
    {"meta", SCENE_CODE_META},          {"section", SCENE_CODE_META},
    {"symbol", SCENE_CODE_SYMBOL},      {"cbracket", SCENE_CODE_SYMBOL},
    {"colon", SCENE_CODE_SYMBOL},       {"math", SCENE_CODE_SYMBOL},
    {"function", SCENE_CODE_FUNCTION},  {"predef_func", SCENE_CODE_FUNCTION},
    {"variable", SCENE_CODE_VARIABLE},  {"predef_var", SCENE_CODE_VARIABLE},
    {"property", SCENE_CODE_VARIABLE},  {"key", SCENE_CODE_VARIABLE},
    {"keyquote", SCENE_CODE_VARIABLE},  {"name", SCENE_CODE_VARIABLE},
    {"argument", SCENE_CODE_VARIABLE},  {"attribute", SCENE_CODE_VARIABLE},
    {"oldfile", SCENE_CODE_META},       {"newfile", SCENE_CODE_META},
    {"difflines", SCENE_CODE_META},
};

const char *const names[] = {"normal", "keyword", "type",   "function", "string",
                             "number", "comment", "symbol", "variable", "meta"};

void add(int kind, size_t length) {
  if (length == 0) return;
  covered += length;
  if (!work.pieces.empty() && work.pieces.back().kind == kind) work.pieces.back().length += (int)length;
  else work.pieces.push_back({kind, (int)length});
}

class Collector : public Formatter {
  int kind;

public:
  explicit Collector(int kind) : kind(kind) {}
  void format(const std::string &s, const FormatterParams *) override { add(kind, s.size()); }
};

FormatterManager &formatters() {
  static FormatterManager *made = [] {
    auto *manager = new FormatterManager(FormatterPtr(new Collector(SCENE_CODE_PLAIN)));
    for (const auto &it : kinds) manager->addFormatter(it.first, FormatterPtr(new Collector(it.second)));
    return manager;
  }();
  return *made;
}

HighlightRulePtr simple(RegexRuleFactory &factory, const std::string &name, const std::string &pattern) {
  return HighlightRulePtr(factory.createSimpleRule(name, pattern));
}

HighlightRulePtr made(RegexRuleFactory &factory, const Rule &rule) {
  const std::string name = names[rule.kind];
  if (rule.form == Rule::words) {
    std::istringstream in(rule.first);
    WordList list;
    for (std::string word; in >> word;) list.push_back(word);
    return HighlightRulePtr(factory.createWordListRule(name, list));
  }
  HighlightRulePtr start = simple(factory, name, rule.first);
  if (rule.form == Rule::pattern) return start;
  HighlightStatePtr inside(new HighlightState(name));
  if (rule.has_escapes) inside->addRule(simple(factory, name, "\\\\."));
  HighlightRulePtr end = simple(factory, name, rule.last);
  end->setExitLevel(1);
  inside->addRule(end);
  if (rule.is_nested) {
    HighlightRulePtr again = simple(factory, name, rule.first);
    again->setNested(true);
    inside->addRule(again);
  }
  start->setNextState(inside);
  return start;
}

// Returns the definition of a language, which is built only once.
HighlightStatePtr language() {
  static auto *known = new std::map<std::string, HighlightStatePtr>;
  std::string key = work.folder + '\n' + work.file;
  for (const Rule &rule : work.rules) {
    const int form = rule.form * 4 + rule.has_escapes * 2 + rule.is_nested;
    key += '\n' + std::to_string(form) + names[rule.kind] + '\n' + rule.first + '\n' + rule.last;
  }
  auto found = known->find(key);
  if (found != known->end()) return found->second;
  static auto *factory = new RegexRuleFactory;
  static auto *manager = new LangDefManager(factory);
  HighlightStatePtr state(new HighlightState);
  for (const Rule &rule : work.rules) state->addRule(made(*factory, rule));
  if (!work.file.empty()) {
    HighlightStatePtr from = manager->getHighlightState(work.folder, work.file);
    for (const HighlightRulePtr &rule : from->getRuleList()) state->addRule(rule);
  }
  known->emplace(key, state);
  return state;
}

void cut(HighlightStatePtr state, const std::string &text, size_t longest) {
  SourceHighlighter highlighter(state);
  highlighter.setFormatterManager(&formatters());
  for (size_t begin = 0; begin <= text.size();) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::string line = text.substr(begin, end - begin);
    const size_t count = work.pieces.size();
    const int last = count ? work.pieces.back().length : 0;
    const size_t before = covered;
    try {
      if (line.size() <= longest) highlighter.highlightParagraph(line);
    } catch (const std::runtime_error &) {
      // A regular expression backtracked too often. The line becomes plain, and the state at its
      // start is restored.
      highlighter.setCurrentState(state);
      highlighter.clearStateStack();
    }
    if (covered - before != line.size()) {
      work.pieces.resize(count);
      if (count) work.pieces.back().length = last;
      add(SCENE_CODE_PLAIN, line.size());
    }
    if (end < text.size()) add(SCENE_CODE_PLAIN, 1);
    begin = end + 1;
  }
}

void add_rule(const Rule &rule) {
  if (rule.kind < SCENE_CODE_PLAIN || rule.kind > SCENE_CODE_META) return;
  work.rules.push_back(rule);
}

// Runs code that may run out of memory.
template <typename Body> void guarded(Body body) {
  try {
    body();
  } catch (...) {
    work = Work();
  }
}

}  // namespace

void scene_code_begin(const char *folder, const char *file) {
  guarded([&] {
    work = Work();
    work.folder = folder;
    work.file = file;
  });
}

void scene_code_words(int kind, const char *words) {
  guarded([&] { add_rule({Rule::words, kind, words, "", false, false}); });
}

void scene_code_pattern(int kind, const char *pattern) {
  guarded([&] { add_rule({Rule::pattern, kind, pattern, "", false, false}); });
}

void scene_code_block(int kind, const char *start, const char *end, int has_escapes, int is_nested) {
  guarded([&] { add_rule({Rule::block, kind, start, end, has_escapes != 0, is_nested != 0}); });
}

int scene_code_run(const char *text, int longest) {
  HighlightStatePtr state;
  work.pieces.clear();
  try {
    std::lock_guard<std::mutex> guard(turn);
    try {
      if (!work.file.empty() && access((work.folder + "/" + work.file).c_str(), R_OK) != 0)
        return SCENE_CODE_NO_DEFINITION;
      state = language();
    } catch (...) {
      return SCENE_CODE_NO_DEFINITION;
    }
    cut(state, text, longest < 0 ? 0 : (size_t)longest);
    return SCENE_CODE_DONE;
  } catch (...) {
    work.pieces.clear();
    return SCENE_CODE_TOO_MUCH;
  }
}

int scene_code_count(void) { return (int)work.pieces.size(); }

int scene_code_kind(int piece) {
  return piece < 0 || piece >= scene_code_count() ? SCENE_CODE_PLAIN : work.pieces[(size_t)piece].kind;
}

int scene_code_length(int piece) {
  return piece < 0 || piece >= scene_code_count() ? 0 : work.pieces[(size_t)piece].length;
}
