# SPDX-License-Identifier: MIT
"""action.py BIN [ROOT]: tests the GitHub action with the programs in the folder BIN.

The YAML files are validated against the schemas of check-jsonschema, and each `run` block by shellcheck. Then the steps
run as on a runner, with a repository of git, and with `curl` and `gh` that stand in for the network. With ROOT, a bare
Debian with scenec, git and bash, they run there."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from ruamel.yaml import YAML

PROJECT = Path(__file__).resolve().parents[2]
ACTION = PROJECT / "Packaging/action/action.yml"
DECLARED = YAML(typ="safe").load(ACTION.read_text())
STEPS = [(step["name"], step) for step in DECLARED["runs"]["steps"]]
BIN = Path(sys.argv[1]).resolve()
ROOT = Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
COUNTS = {"passed": 0, "failed": 0}

GOOD = """\
scene { for: 1s;  size: 160x90
  rect card { size: 40;  fill: red }
  expect "duration" { scene.duration == 1s }
}
"""


def check(condition, what):
    COUNTS["passed" if condition else "failed"] += 1
    if not condition:
        print(f"failed: {what}")


def program(path, text):
    path.write_text("#!/bin/bash\nset -euo pipefail\n" + text)
    path.chmod(0o755)


# MARK: Files


def workflows():
    return [PROJECT / "Packaging/action/example.yml", *sorted((PROJECT / "Examples").glob("**/github.yml"))]


def validate():
    """The files follow the schemas, their scripts are correct, and no expression is inside a script."""
    tool = str(Path(sys.executable).parent / "check-jsonschema")
    for kind, files in (("github-actions", [ACTION]), ("github-workflows", workflows())):
        run = subprocess.run([tool, "--builtin-schema", f"vendor.{kind}", *map(str, files)], capture_output=True, text=True)
        check(run.returncode == 0, f"{kind}: {run.stdout}{run.stderr}")
    for name, step in STEPS:
        if "uses" in step:
            check(re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"]), f"{name}: {step['uses']} is not an official action")
        if "run" not in step:
            continue
        check("${{" not in step["run"], f"{name}: an expression in a script allows injections")
        check(step["shell"] == "bash", f"{name}: no bash")
        run = subprocess.run(["shellcheck", "--shell=bash", "-"], input=step["run"], capture_output=True, text=True)
        check(run.returncode == 0, f"{name}:\n{run.stdout}")


# MARK: Runner


class Runner:
    """A job on a runner: its folders, its contexts, and its stand-ins for the network."""

    def __init__(self, folder, **inputs):
        self.folder = Path(folder)
        self.home, self.temp, self.programs, self.repository = (
            self.folder / it for it in ("home", "temp", "programs", "repository"))
        for it in (self.home, self.temp, self.programs, self.repository):
            it.mkdir()
        self.comments = self.folder / "comments"
        self.comments.mkdir()
        self.release = self.folder / "release"
        self.release.mkdir()
        self.values = {f"inputs.{name}": it.get("default", "") for name, it in DECLARED["inputs"].items()}
        self.values |= {"inputs.token": "secret", "inputs.version": "9.8.7"}
        self.values |= {f"inputs.{name}": value for name, value in inputs.items()}
        self.values |= {
            "github.event_name": "push", "github.repository": "acme/film", "github.server_url": "https://github.test",
            "github.action_repository": "acme/scenec", "github.run_id": "42", "github.job": "scenes",
            "toJSON(matrix)": "null", "github.workflow": "scenes --> <b>", "github.event.pull_request.base.sha": "",
            "github.event.pull_request.number": "", "github.event.pull_request.head.repo.full_name": "",
            "runner.temp": self.inside(self.temp), "runner.os": "Linux", "runner.arch": "X64"}
        self.fake()
        self.git("init", "-q", "-b", "main")

    def inside(self, path):
        """The path as the scripts see it."""
        return "/" + str(path.relative_to(ROOT)) if ROOT else str(path)

    def fake(self):
        """Installs fakes of `curl`, which copies files of the release, and of `gh`, which stores each comment in a file.
        The file name of a comment by another account contains the account, such as `3-mallory`."""
        release, comments = self.inside(self.release), self.inside(self.comments)
        program(self.programs / "curl", f"""\
            for word; do case $word in https://github.test/acme/scenec/releases/download/v9.8.7/*) file=${{word##*/}} ;; esac; done
            while [ $# -gt 1 ]; do if [ "$1" = --output ]; then cp "{release}/$file" "$2"; fi; shift; done
            """)
        program(self.programs / "gh", f"""\
            [ "$GH_TOKEN" = secret ]
            cd "{comments}"
            for word; do case $word in body=@*) body=${{word#body=@}} ;; id=*) id=${{word#id=}} ;; esac; done
            echo "$*" | tr '\\n' ' ' | cut -c1-80 >> ../calls
            case " $* " in
              *" id="*updateIssueComment*) cp "$body" "$id" ;;
              *" POST "*) cp "$body" "$(($(ls | wc -l) + 7))" ;;
              *viewerDidAuthor*"comments.nodes[]"*)
                for it in *; do
                  own=true
                  case $it in *-*) own=false ;; esac
                  if [ -e "$it" ]; then printf '%s\\t%s\\t%s\\n' "$it" "$own" "$(sed -n 1p "$it")"; fi
                done
                ;;
            esac
            """)
        if not ROOT:
            (self.programs / "scenec").symlink_to(BIN / "scenec")

    def git(self, *arguments):
        return subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "safe.directory=*", *arguments], cwd=self.repository,
            check=True, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "HOME": str(self.home)}).stdout.strip()

    def commit(self, **files):
        for name, text in files.items():
            path = self.repository / name.replace("__", "/")
            path = path if path.suffix else path.with_suffix(".scene")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        return self.commit_all()

    def commit_all(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def pull_request(self, base, head="acme/film"):
        self.values |= {
            "github.event_name": "pull_request", "github.event.pull_request.base.sha": base,
            "github.event.pull_request.number": "5", "github.event.pull_request.head.repo.full_name": head}

    def text(self, template):
        return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", self.value, template)

    def value(self, match):
        # An output of a step that did not run is empty.
        return self.values.get(match[1], "") if match[1].startswith("steps.") else self.values[match[1]]

    def holds(self, condition):
        """The value of an `if`. Without a status function, a step does not run after a failed one."""
        condition = re.sub(r"^\s*\$\{\{(.*)\}\}\s*$", r"\1", condition, flags=re.S)
        test = re.sub(r"(?:github|inputs|steps|runner)[\w.-]+", lambda it: repr(self.values.get(it[0], "")), condition)
        test = test.replace("!cancelled()", "True").replace("&&", " and ").replace("||", " or ")
        return bool(eval(test.strip(), {})) and ("cancelled" in condition or not self.hasFailed)

    def run(self, *without):
        """Runs the steps except some. Returns whether the job succeeds."""
        self.hasFailed, self.output, self.ran = False, "", []
        self.used = {}
        for it in [it for it in self.values if it.startswith("steps.")]:
            del self.values[it]
        self.summary = self.folder / "summary"
        self.summary.write_text("")
        for name, step in STEPS:
            if name in without or not self.holds(step.get("if", "success()").replace("success()", "True")):
                continue
            self.ran.append(name)
            self.used[name] = {key: self.text(str(value)) for key, value in step.get("with", {}).items()}
            if "run" in step and not self.script(step):
                self.hasFailed = True
        return not self.hasFailed

    def script(self, step):
        output, path = self.folder / "output", self.folder / "path"
        output.write_text("")
        path.write_text("")
        environment = {
            "PATH": f"{self.inside(self.programs)}:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.inside(self.home), "LANG": "C.UTF-8",
            "GITHUB_OUTPUT": self.inside(output), "GITHUB_PATH": self.inside(path),
            "GITHUB_STEP_SUMMARY": self.inside(self.summary), "CI": "true",
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
            **{name: self.text(str(value)) for name, value in step.get("env", {}).items()}}
        command = ["bash", "--noprofile", "--norc", "-euo", "pipefail", "-c", step["run"]]
        if ROOT:
            command = ["chroot", str(ROOT), "/usr/bin/env", "-C", self.inside(self.repository), *command]
        run = subprocess.run(
            command, cwd=self.repository, env=environment, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.output += run.stdout
        self.path = path.read_text()
        for line in output.read_text().splitlines():
            name, value = line.split("=", 1)
            self.values[f"steps.{step['id']}.outputs.{name}"] = value
        return run.returncode == 0

    def report(self, name):
        return self.temp / "scenec/report" / name


def job(**inputs):
    return Runner(tempfile.mkdtemp(dir=FOLDER), **inputs)


# MARK: Tests


def good_scenes_pass():
    it = job()
    it.commit(a=GOOD, b__c=GOOD, project__project="project { root: \".\" }")
    check(it.run("Install scenec"), f"good scenes fail:\n{it.output}")
    check("Compare with the base" not in it.ran and "Comment on the pull request" not in it.ran, f"a push: {it.ran}")
    check("| passed | passed |" in it.summary.read_text(), it.summary.read_text())
    check("expectations: 2, failures: 0" in it.output, it.output)
    check(json.loads(it.report("check.sarif").read_text())["version"] == "2.1.0", "no SARIF")
    check(it.report("tests/index.html").exists() and "<testsuites" in it.report("junit.xml").read_text(), "no tests")


def pull_requests_have_one_comment():
    it = job()
    base = it.commit(a=GOOD, same=GOOD, library="component A() { rect { size: 4 } }")
    it.commit(a=GOOD.replace("40", "50").replace("== 1s", "== 2s"), new=GOOD)
    it.pull_request(base)
    check(not it.run("Install scenec"), f"a failed expectation passes:\n{it.output}")
    check(it.ran[-3:] == ["Upload the report", "Comment on the pull request", "Report failures"], f"order: {it.ran}")
    check("size 40 → 50" in it.output and "new.scene: new" in it.output, it.output)
    check("same.scene" not in it.summary.read_text().split("Changed frames")[1], "an equal scene is listed")
    check([path.name for path in it.report("changes").iterdir()] == ["1.html"], "pages of changes")
    text = (it.comments / "7").read_text()
    check("| passed | **failed** |" in text and "scene.duration is 1s" in text, text)
    check("actions/runs/42" in text, text)
    it.commit(a=GOOD)
    check(it.run("Install scenec"), f"a good scene fails:\n{it.output}")
    check([path.name for path in it.comments.iterdir()] == ["7"], "the comment is not replaced")
    check("| passed | passed |" in (it.comments / "7").read_text(), "the comment is old")
    it.values["inputs.comment"] = "false"
    it.run("Install scenec")
    check("Comment on the pull request" not in it.ran, "an unwanted comment")


def comments_of_others_stay():
    it = job()
    base = it.commit(a=GOOD)
    it.pull_request(base)
    check(it.run("Install scenec"), it.output)
    mark = (it.comments / "7").read_text().split("\n")[0]
    (it.comments / "7").unlink()
    for name in ("1-mallory", "9-mallory"):
        (it.comments / name).write_text(f"{mark}\nforged\n")
    check(it.run("Install scenec") and it.run("Install scenec"), it.output)
    own = [path.name for path in it.comments.iterdir() if "-" not in path.name]
    check(len(own) == 1 and "| passed | passed |" in (it.comments / own[0]).read_text(), f"own comments: {own}")
    check(all((it.comments / name).read_text().endswith("forged\n") for name in ("1-mallory", "9-mallory")), "a forged comment is edited")


def jobs_have_names():
    it = job()
    base = it.commit(a=GOOD)
    it.pull_request(base)
    matrix = '{\n  "system": "a"\n}'
    names, keys = [], []
    for values in ({}, {"toJSON(matrix)": "{}"}, {"toJSON(matrix)": matrix}, {"toJSON(matrix)": matrix.replace("a", "b")},
                   {"inputs.name": "films-1.0_a"}):
        it.values |= values
        check(it.run("Install scenec"), it.output)
        names.append(it.used["Upload the report"]["name"])
        keys.append(it.used["Restore the cache"]["key"])
        check(keys[-1].startswith(it.used["Restore the cache"]["restore-keys"]), keys[-1])
    check(names[:2] == ["scenec-scenes"] * 2 and names[4] == "scenec-films-1.0_a", f"{names}")
    check(all(re.fullmatch(r"scenec-scenes-[0-9a-f]{16}", name) for name in names[2:4]), f"{names}")
    check(len(set(names)) == len(set(keys)) == len(list(it.comments.iterdir())) == 4, f"{names} {keys}")


def sources_have_caches():
    it = job()
    it.commit(a=GOOD)
    keys = set()
    for values in ({}, {"inputs.url": "https://a.test/1"}, {"inputs.url": "https://a.test/2"}, {"inputs.sha256": "0" * 64}):
        it.values |= values
        check(it.run("Install scenec"), it.output)
        keys.add(it.used["Restore the cache"]["restore-keys"])
        check(re.fullmatch(r"scenec-9\.8\.7-[0-9a-f]{16}-Linux-X64-", it.used["Restore the cache"]["restore-keys"]), f"{keys}")
    check(len(keys) == 4, f"{keys}")


def forks_only_upload():
    it = job()
    base = it.commit(a=GOOD)
    it.commit(a=GOOD.replace("40", "50"))
    it.pull_request(base, head="mallory/film")
    check(it.run("Install scenec"), it.output)
    check("Upload the report" in it.ran and "Comment on the pull request" not in it.ran, f"a fork: {it.ran}")


def failed_comments_only_warn():
    it = job()
    base = it.commit(a=GOOD)
    it.commit(a=GOOD.replace("40", "50"))
    it.pull_request(base)
    working = (it.programs / "gh").read_text()
    for failing, verb in (('*) exit 1 ;;', "find"), ('*" POST "*) exit 1 ;;', "create"), ('*" id="*) exit 1 ;;', "update")):
        (it.programs / "gh").write_text(working.replace('case " $* " in\n', f'case " $* " in {failing}\n'))
        if verb == "update":
            (it.comments / "7").write_text(mark + "\nold\n")
        check(it.run("Install scenec"), f"{verb}: a failed comment fails the job:\n{it.output}")
        check(f"::warning title=scenec::cannot {verb} the comment" in it.output, f"{verb}: {it.output}")
        check(it.ran[-2:] == ["Comment on the pull request", "Report failures"], f"{verb}: {it.ran}")
        mark = (it.temp / "scenec/comment.md").read_text().split("\n")[0] if verb == "create" else ""


def errors_fail_after_the_report():
    it = job(strict="true")
    it.commit(a="scene { for: 1s;  circle { radus: 4 } }")
    check(not it.run("Install scenec") and "Upload the report" in it.ran, f"an error: {it.ran}")
    check("unknown property" in it.summary.read_text(), it.summary.read_text())
    it.commit(a="scene { for: 1s;  rect { size: 9;  fill: red;  opacity: 0 } }")
    failed = not it.run("Install scenec")
    it.values["inputs.strict"] = "false"
    check(failed and it.run("Install scenec"), f"warnings:\n{it.output}")


def hostile_names_are_data():
    it = job()
    names = ["$(touch owned) `touch owned`;touch owned.scene", "-o.scene", "&<b>@all.scene"]
    for name in names:
        (it.repository / name).write_text(GOOD)
    base = it.commit_all()
    for name in names:
        (it.repository / name).write_text(GOOD.replace("== 1s", "== 2s").replace("40", "50"))
    it.commit_all()
    it.pull_request(base)
    check(not it.run("Install scenec"), it.output)
    check("expectations: 3, failures: 3" in it.output and it.output.count("size 40 → 50") == 3, it.output)
    check(not (it.repository / "owned").exists() and not list(it.folder.glob("**/owned")), "a name was executed")
    text = it.summary.read_text()
    check("<b>" not in text and "@all" not in text and "&lt;b&gt;" in text, text)


def executed(output):
    """The names of the workflow commands that a runner executes, and whether it ignores commands at the end."""
    names, token = [], None
    for line in re.split(r"\r\n|\r|\n", output):
        if not (it := re.match(r"\s*::([^\s:]+).*?::(.*)", line) or re.search(r"##\[([^\s\]]+)[^\]]*\](.*)", line)):
            continue
        if token:
            token = None if it[1] == token else token
        elif it[1] == "stop-commands":
            token = it[2]
        else:
            names.append(it[1])
    return names, token is not None


def text_is_no_command():
    it = job()
    names = ["::add-mask::x.scene", "a\n::add-mask::y.scene", "a\r::add-mask::z.scene", "##[add-mask]x.scene"]
    bad = [name.replace("x.", "bad.").replace("y.", "bad.").replace("z.", "bad.") for name in names]
    for name in names:
        (it.repository / name).write_text(GOOD)
    base = it.commit_all()
    for name in names:
        (it.repository / name).write_text(GOOD.replace("== 1s", "== 2s").replace("40", "50"))
    for name in bad:
        (it.repository / name).write_text("scene { ::add-mask::t }")
    it.commit_all()
    it.pull_request(base)
    check(not it.run("Install scenec") and "::add-mask::" in it.output, it.output)
    check(executed(it.output) == (["error", "error"], False), f"{executed(it.output)}:\n{it.output}")
    tokens = re.findall("^::stop-commands::(.+)$", it.output, re.M)
    check(len(tokens) == len(set(tokens)) == 3, f"{tokens}")
    # A step that fails accepts commands again.
    program(it.programs / "git", 'case "$*" in *cat-file*) exit 1 ;; *fetch*) echo "::add-mask::g" >&2; exit 1 ;; esac\nexec /usr/bin/git "$@"\n')
    check(not it.run("Install scenec") and "::add-mask::g" in it.output, it.output)
    check(executed(it.output) == (["error", "error"], False), f"{executed(it.output)}:\n{it.output}")


def long_messages_are_truncated():
    it = job()
    for letters in ("é", "éa", "a&"):
        # The message of the expectation is longer than a part of the summary, at every alignment of the characters.
        for shift in range(2):
            message = "x" * shift + letters * 400
            expectations = "".join(f'  expect "{n} {message}" {{ scene.duration == 2s }}\n' for n in range(40))
            base = it.commit(a=GOOD.replace("}\n}\n", f"}}\n{expectations}}}\n"))
            it.pull_request(base)
            check(not it.run("Install scenec") and "Comment on the pull request" in it.ran, f"{letters!r}: {it.ran}")
            text = it.summary.read_text()
            check("\n… truncated\n</pre>" in text, f"{letters!r}: not truncated: {text[-300:]}")
            check(text.count("<pre>") == text.count("</pre>") == 2, f"{letters!r}: a part is incomplete")
            check(28000 < len(text.encode()) < 32000, f"{letters!r}: {len(text.encode())} bytes")
            check(not re.search(r"&(?![#a-z0-9]+;)", text), f"{letters!r}: an incomplete escape")


def files_are_selected():
    it = job(files="films/*.scene\n:(exclude)films/b.scene\n")
    it.commit(a="not a scene", films__a=GOOD, films__b="not a scene")
    check(it.run("Install scenec") and "expectations: 1," in it.output, it.output)


def invalid_inputs_are_refused():
    for inputs in ({"version": "1; touch owned"}, {"version": "../1"}, {"strict": "maybe"}, {"comment": ""},
                   {"sha256": "0"}, {"url": "http://a.test"}, {"name": "a b"}, {"name": "a\nb"}, {"name": "x" * 65}, {"files": "none.scene"}):
        it = job(**inputs)
        it.commit(a=GOOD)
        check(not it.run("Install scenec") and "::error" in it.output, f"{inputs}: {it.output}")
        check(it.ran == ["Read the inputs"], f"{inputs}: {it.ran}")


def packages_are_verified():
    it = job()
    it.commit(a=GOOD)
    name = f"scenec-9.8.7-linux-{os.uname().machine}"
    bookworm = "VERSION_CODENAME=bookworm" in Path("/etc/os-release").read_text()
    # dpkg itself is tested by try.sh.
    program(it.programs / "apt-get", 'echo "apt-get $*"\n')
    program(it.programs / "sudo", '"$@"\n')
    machine = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True).stdout.strip()
    package = it.release / (f"scenec_9.8.7_{machine}.deb" if bookworm or ROOT else f"{name}.tar.xz")
    program(it.folder / "scenec", f'exec "{BIN}/scenec" "$@"\n')

    def pack(*files):
        with tarfile.open(package, "w:xz") as archive:
            for file in files:
                archive.add(it.folder / "scenec", f"{name}/{file}")
        return hashlib.sha256(package.read_bytes()).hexdigest()

    (it.release / "SHA256SUMS").write_text(f"{pack('bin/scenec')}  {package.name}\n")
    check(it.run(), it.output)
    check(f"install -y -qq ./{package.name}" in it.output or it.path.strip().endswith("programs/bin"), it.output)
    shutil.rmtree(it.temp / "scenec-package")
    other = pack("bin/scenec", "other")
    check(not it.run() and f"the checksum of {package.name} does not match" in it.output, it.output)
    check(it.ran[-1] == "Install scenec" and it.output.count("::error") == 1, f"{it.ran}: {it.output}")
    check(not (it.temp / "scenec-package" / package.name).exists(), "a wrong package remains in the cache")
    it.values["inputs.sha256"] = other
    it.run()
    check("checksum" not in it.output and "Check the scenes" in it.ran, f"{it.ran}: {it.output}")
    # Another address replaces that of the release.
    it.values |= {"github.action_repository": "", "inputs.url": "https://github.test/acme/scenec/releases/download/v9.8.7/"}
    shutil.rmtree(it.temp / "scenec-package")
    it.run()
    check("checksum" not in it.output and "Check the scenes" in it.ran, f"{it.ran}: {it.output}")
    check((it.temp / "scenec-package" / package.name).exists(), "no package in the cache")
    # With a checksum, the list of checksums is not necessary.
    shutil.rmtree(it.temp / "scenec-package")
    (it.release / "SHA256SUMS").unlink()
    it.run()
    check("Check the scenes" in it.ran, f"{it.ran}: {it.output}")
    it.values["inputs.sha256"] = ""
    check(not it.run() and it.ran[-1] == "Install scenec", f"{it.ran}: {it.output}")


if not ROOT:
    validate()
with tempfile.TemporaryDirectory(dir=ROOT / "tmp" if ROOT else None) as FOLDER:
    for test in (good_scenes_pass, pull_requests_have_one_comment, comments_of_others_stay, jobs_have_names, sources_have_caches, forks_only_upload, failed_comments_only_warn, errors_fail_after_the_report,
                 hostile_names_are_data, text_is_no_command, long_messages_are_truncated, files_are_selected, invalid_inputs_are_refused, packages_are_verified):
        test()
print(f"{COUNTS['passed']} passed, {COUNTS['failed']} failed")
sys.exit(COUNTS["failed"] > 0)
