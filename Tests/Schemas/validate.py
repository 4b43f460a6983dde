# SPDX-License-Identifier: MIT
"""validate.py SCENEC [SARIF_SCHEMA]: validates machine-readable output against the schemas that scenec prints.

Every program of the corpus is checked as JSON and as SARIF, every example is planned and drawn as a timeline. The
SARIF schema of OASIS is not part of the repository; name a copy of it to validate against it, too."""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from jsonschema import Draft7Validator, Draft202012Validator

PROJECT = Path(__file__).resolve().parents[2]
SCENEC = str(Path(sys.argv[1]).resolve())
FAILURES = []
PASSED = 0


def output(*arguments, folder=PROJECT):
    run = subprocess.run([SCENEC, *arguments], cwd=folder, capture_output=True, text=True)
    if run.returncode not in (0, 1, 4):
        FAILURES.append(f"{' '.join(arguments)}: status {run.returncode}: {run.stderr}")
        return None
    return json.loads(run.stdout)


def validate(document, validator, name):
    global PASSED
    error = next(validator.iter_errors(document), None) if document is not None else None
    if error:
        FAILURES.append(f"{name}: {error.json_path}: {error.message[:300]}")
    elif document is not None:
        PASSED += 1


def validators():
    for name in ("check", "diff", "plan", "test", "timeline"):
        schema = output("docs", "--schema", name)
        Draft202012Validator.check_schema(schema)
        yield name, Draft202012Validator(schema)


def programs():
    """The programs of the corpus."""
    for file in sorted((PROJECT / "Tests/Corpus").glob("*.txt")):
        for case in re.split(r"(?m)^=== .*\n", file.read_text())[1:]:
            yield case.split("\n---\n")[0]


def locations(log):
    for result in log["runs"][0]["results"]:
        yield from (it["physicalLocation"]["region"] for it in result["locations"] + result["relatedLocations"])


def main():
    schemas = dict(validators())
    sarif = Draft7Validator(json.loads(Path(sys.argv[2]).read_text())) if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as folder:
        names = []
        for number, text in enumerate(programs()):
            names.append(f"{number}.scene")
            Path(folder, names[-1]).write_text(text)
        report = output("check", "--format", "json", *names, folder=folder)
        validate(report, schemas["check"], "check of the corpus")
        log = output("check", "--format", "sarif", *names, folder=folder)
        if sarif:
            validate(log, sarif, "SARIF of the corpus")
        count = len(report["diagnostics"])
        if count < len(names) / 2 or len(log["runs"][0]["results"]) != count:
            FAILURES.append(f"{count} diagnostics of {len(names)} programs")
        if any((it["startLine"], it["startColumn"]) > (it["endLine"], it["endColumn"]) for it in locations(log)):
            FAILURES.append("a SARIF region ends before it starts")
    for scene in sorted(PROJECT.glob("Examples/*/scene.scene")):
        if scene.parent.name.startswith("bench"):
            continue
        path = os.path.relpath(scene, PROJECT)
        validate(output("plan", "--format", "json", path), schemas["plan"], f"plan of {path}")
        validate(output("timeline", "--format", "json", "--no-sound", path), schemas["timeline"], f"timeline of {path}")
    validate(
        output("test", "--format", "json", "Examples/demo/scene.scene"), schemas["test"], "tests")
    shares = output("plan", "--format", "json", "--shards", "3", "Examples/demo/scene.scene")
    validate(shares, schemas["plan"], "shares")
    with tempfile.TemporaryDirectory() as folder:
        for name, radius in (("a.scene", 4), ("b.scene", 5)):
            Path(folder, name).write_text(f"scene {{ for: 1s;  circle {{ radius: {radius};  at: 0.5s }} }}")
        validate(output("diff", "--format", "json", "a.scene", "b.scene", folder=folder), schemas["diff"], "diff")
    for failure in FAILURES:
        print(failure)
    print(f"{PASSED} passed, {len(FAILURES)} failed")
    return bool(FAILURES)


sys.exit(main())
