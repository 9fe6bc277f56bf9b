#include "lean-bridge/discovery/lean_discovery.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>

namespace plumbline::lean {
namespace {

namespace fs = std::filesystem;

class Discovery : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "lean-discovery-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder); }

  void program(const std::string& path) {
    file(path, "#!/bin/sh\n");
    fs::permissions(folder / path, fs::perms::owner_all);
  }
  void file(const std::string& path, const std::string& content) {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << content;
  }
  std::string at(const std::string& path) const { return (folder / path).string(); }
  Environment environment() {
    return [this](const std::string& name) { return variables[name]; };
  }

  fs::path folder;
  std::map<std::string, std::string> variables;
};

TEST_F(Discovery, NothingIsFoundWhereNothingIs) {
  variables["PATH"] = at("empty") + "::" + at("none");
  const Tools tools = findTools("", environment());
  EXPECT_FALSE(tools.any());
  EXPECT_TRUE(tools.toolchains.empty());
}

TEST_F(Discovery, SettingThenPathThenElan) {
  program("elan/bin/lake");
  program("elan/bin/lean");
  program("elan/bin/elan");
  fs::create_directories(folder / "elan/toolchains/leanprover--lean4---v4.34.0");
  variables["ELAN_HOME"] = at("elan");
  Tools tools = findTools("", environment());
  EXPECT_EQ(tools.where, "elan");
  EXPECT_EQ(tools.lake, at("elan/bin/lake"));
  EXPECT_EQ(tools.elan, at("elan/bin/elan"));
  EXPECT_TRUE(tools.proxies);
  EXPECT_EQ(tools.toolchains, std::vector<std::string>{"leanprover/lean4:v4.34.0"});
  program("path/lean");
  variables["PATH"] = at("path");
  tools = findTools("", environment());
  EXPECT_EQ(tools.where, "PATH");
  EXPECT_EQ(tools.lean, at("path/lean"));
  EXPECT_EQ(tools.lake, "") << "programs of one place are not mixed with those of another";
  EXPECT_FALSE(tools.proxies);
  program("chosen/lake");
  tools = findTools(at("chosen"), environment());
  EXPECT_EQ(tools.where, "setting");
  EXPECT_EQ(tools.lake, at("chosen/lake"));
}

TEST_F(Discovery, WhatCannotBeRunIsNoProgram) {
  file("path/lean", "text");
  fs::permissions(folder / "path/lean", fs::perms::owner_read);
  fs::create_directories(folder / "path/lake");
  variables["PATH"] = at("path");
  EXPECT_FALSE(findTools("", environment()).any());
}

TEST_F(Discovery, TheProjectIsTheFirstFolderWithAToolchain) {
  file("p/lean-toolchain", "leanprover/lean4:v4.34.0\r\n");
  file("p/lakefile.toml", "name = \"p\"\n");
  file("p/A/B/C.lean", "");
  const Expected<Project> project = projectOf(folder / "p/A/B/C.lean");
  ASSERT_TRUE(project);
  EXPECT_EQ(project->root, folder / "p");
  EXPECT_TRUE(project->hasLakefile);
  EXPECT_EQ(project->toolchain, "leanprover/lean4:v4.34.0");
  file("p/.lake/packages/q/lean-toolchain", "other\n");
  EXPECT_EQ(projectOf(folder / "p/.lake/packages/q/Q.lean")->root, folder / "p")
      << "the owner's version counts";
  file("p/lakefile.toml", "name = \"changed\"\n");
  EXPECT_NE(projectOf(folder / "p/A/B/C.lean")->fingerprint, project->fingerprint);
}

TEST_F(Discovery, ALakefileWithoutToolchainIsAnError) {
  file("p/lakefile.lean", "");
  EXPECT_EQ(projectOf(folder / "p/A.lean").error().id, "toolchain-missing");
}

TEST_F(Discovery, WithoutProjectTheFolderCounts) {
  file("loose/A.lean", "");
  EXPECT_EQ(projectOf(folder / "loose/A.lean")->root, folder / "loose");
  EXPECT_EQ(projectOf(folder / "loose/A.lean", folder)->root, folder);
}

TEST_F(Discovery, Case10LakeServeOrLeanServer) {
  Tools tools;
  Project project{folder, true, true, "v", ""};
  const Expected<ServerStart> missing = serverStart(tools, project, 200, environment());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().id, "lean-missing");
  EXPECT_NE(missing.error().message.find("lake was not found"), std::string::npos);
  tools.lake = "/opt/lean/bin/lake";
  tools.lean = "/opt/lean/bin/lean";
  variables["PATH"] = "/usr/bin";
  const Expected<ServerStart> lake = serverStart(tools, project, 200, environment());
  ASSERT_TRUE(lake);
  EXPECT_EQ(lake->program, tools.lake);
  EXPECT_EQ(lake->arguments, (std::vector<std::string>{"serve", "--", "-Dserver.reportDelayMs=200"}));
  EXPECT_EQ(lake->workingDirectory, folder.string());
  EXPECT_EQ(lake->environment, std::vector<std::string>{"PATH=/opt/lean/bin:/usr/bin"});
  EXPECT_EQ(lake->unset, (std::vector<std::string>{"LEAN_SYSROOT", "LEAN_WORKER_PATH"}));
  project.hasLakefile = false;
  const Expected<ServerStart> lean = serverStart(tools, project, 0, environment());
  ASSERT_TRUE(lean);
  EXPECT_EQ(lean->program, tools.lean);
  EXPECT_EQ(lean->arguments, (std::vector<std::string>{"--server", "-Dserver.reportDelayMs=0"}));
}

} // namespace
} // namespace plumbline::lean
