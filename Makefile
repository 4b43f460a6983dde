# SPDX-License-Identifier: MIT
# make demo | reel | test | check | site | library | install PREFIX=… | deb | tarball | vsix | bench | soak | coverage | sanitize | farm | fuzz | format | lint

# The filters of a build's output must not hide its failure.
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c
FUZZ_TIMEOUT ?= 10
PREFIX ?= /usr/local
SWIFT ?= swift
SHARE = $(DESTDIR)$(PREFIX)/share
JOBS_NOTE := "warning: .*prohibited flag|(mktemp|mkstemp|mktemps)?. is dangerous"
# Programs and tests share the same objects. The linker stores a build id in each program, which identifies its cache
# entries. The flag is here because a package with dependents must not set it in its manifest.
FLAGS := -c release -Xlinker --build-id=sha1
BIN := .build/release
STATIC := build/static

# The build and run-time dependencies, and the fonts of the scene library.
PACKAGES := libcairo2-dev libpango1.0-dev libfontconfig-dev libturbojpeg0-dev libpng-dev \
  libwebp-dev libexif-dev libgif-dev liblcms2-dev nettle-dev libjson-c-dev librsvg2-dev libebur128-dev librubberband-dev libwebsockets-dev libpolyclipping-dev libsource-highlight-dev libsource-highlight-common libavformat-dev libavcodec-dev libavutil-dev libswscale-dev pkg-config \
  fonts-inter fonts-lmodern fonts-jetbrains-mono fonts-ebgaramond fonts-dejavu-core fonts-noto-color-emoji
# The dependencies of the tests and benchmarks.
TEST_PACKAGES := ffmpeg gcc git python3-cairo python3-pil python3-numpy unicode-data \
  vim-nox vim-ale neovim emacs-nox elpa-eglot nodejs chromium python3-venv \
  libkf5syntaxhighlighting-tools python3-jsonschema

# Installs the missing packages of a list; without root, prints the command.
define install_packages
	@missing=""; for p in $(1); do \
	  dpkg-query -W -f='$${Status}' $$p 2>/dev/null | grep -q "ok installed" || missing="$$missing $$p"; \
	done; \
	if [ -n "$$missing" ]; then \
	  if [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	  else \
	    echo "Packages are missing. Run this, then make again:"; \
	    echo "  sudo apt-get install --no-install-recommends$$missing"; exit 1; \
	  fi; \
	fi
endef

.PHONY: all dev static check packaging-packages coverage sanitize formulas deb tarball packages-test release packages test-packages photographs build demo reel test site site-test preview-test bench-preview lint format install vsix bench bench-engine bench-check compare farm fuzz fuzz-messages .build/fuzz/scenec-fuzz mutate soak library play bench-lsp storm clean

all: build

packages:
	$(call install_packages,$(PACKAGES))

test-packages:
	$(call install_packages,$(TEST_PACKAGES))

# Five large photographs for the benchmark: generated, too large to keep in the repository.
photographs: test-packages
	@test -e Examples/bench-slides/photos/p4.jpg || \
	  (cd Examples/bench-slides && /usr/bin/python3 ../../Sources/Programs/scenec-dev/Peers/gen_photos.py)

build: packages
	@$(SWIFT) build $(FLAGS) --product Programs 2>&1 | { grep -vE $(JOBS_NOTE) || true; }
	@test -x $(BIN)/scenec -a -x $(BIN)/scenec-render -a -x $(BIN)/scenec-decode -a -x $(BIN)/scenec-clip

# The project's own tool.
dev: build
	@$(SWIFT) build $(FLAGS) --product scenec-dev 2>&1 | { grep -vE $(JOBS_NOTE) || true; }

# Programs with a static Swift runtime, for machines without Swift: the same objects, linked differently.
static: dev
	@SCENEC_STATIC=1 $(SWIFT) build $(FLAGS) --product Programs 2>&1 | { grep -vE $(JOBS_NOTE) || true; }
	@install -D -t $(STATIC) $(BIN)/scenec $(BIN)/scenec-render $(BIN)/scenec-decode $(BIN)/scenec-clip $(BIN)/scenec-dev

# Eight seconds of the reel: weight runs through the letters of three scripts.
demo: build
	@mkdir -p build
	@$(BIN)/scenec build Examples/reel/scene.scene --from 4s --to 12s -o build/demo.mp4

# The whole reel; takes a few minutes on two cores.
reel: build
	@mkdir -p build
	@$(BIN)/scenec build Examples/reel/scene.scene -o build/reel.mp4

# The checks before a commit: lint, the build, the Swift tests, simulations of the concurrent parts, the tests of the
# page's modules, and the expectations of the examples and templates. FILTER, a regular expression, selects Swift tests by name.
ACCOUNT := .build/account.jsonl
ACCOUNT_AGAIN := .build/account-again.jsonl
FILTER ?= .
RUN_TESTS = $(SWIFT) test $(FLAGS) --skip-build --disable-xctest
test: packages test-packages photographs lint
	@$(SWIFT) build $(FLAGS) --build-tests 2>&1 | { grep -vE $(JOBS_NOTE) || true; }
	@rm -f $(ACCOUNT)
	@status=0; SCENEC_TEST_ACCOUNT=$(CURDIR)/$(ACCOUNT) $(RUN_TESTS) --filter '$(FILTER)' > .build/tests.log 2>&1 || status=1; \
	/usr/bin/python3 -B Tests/account.py $(ACCOUNT); \
	[ $$status = 0 ] || grep -E '^✘|error: ' .build/tests.log | cut -c1-2000 | tail -n 40; \
	grep -E '^. Test run with' .build/tests.log | tail -n 1; \
	if grep -qE '^. Test run with 0 tests' .build/tests.log; then echo "no test matches '$(FILTER)'"; exit 1; fi; \
	exit $$status
ifeq ($(FILTER),.)
	@$(BIN)/scenec-simulate all 1 1000 & $(BIN)/scenec-simulate all 1001 1000 && wait $$!
	@Tests/Preview/modules.sh
	@cd Examples && $(CURDIR)/$(BIN)/scenec test --quiet
	@cd Sources/Language/SceneLibrary/templates && $(CURDIR)/$(BIN)/scenec test --quiet
endif

# The tests that take longer or need other programs: Chromium, editors, message storms, packages on a bare Debian. A
# suite also fails if it takes more than twice its CPU budget twice in a row, relative to the other suites of the same
# run. PARTS selects some of the parts.
PARTS ?=
check: static test-packages packaging-packages
	@Tests/check.sh $(BIN) $(PARTS)
	@test ! -e $(ACCOUNT) || over=$$(/usr/bin/python3 -B Tests/account.py --over $(ACCOUNT)) || { \
	  echo "$$over"; rm -f $(ACCOUNT_AGAIN); \
	  SCENEC_TEST_ACCOUNT=$(CURDIR)/$(ACCOUNT_AGAIN) $(RUN_TESTS) \
	    --filter "$$(/usr/bin/python3 -B Tests/account.py --filter $(ACCOUNT))" > .build/over.log 2>&1; \
	  echo "again:"; /usr/bin/python3 -B Tests/account.py --over $(ACCOUNT) $(ACCOUNT_AGAIN); \
	}

# The book as static pages, build/site: tutorial, cookbook, templates, reference, with videos and a search.
site: dev
	@$(BIN)/scenec-dev site build/site
	@echo "build/site/index.html"

# The share of lines that the tests run, for each shipped target. Takes half an hour; the copy is build/coverage.
coverage: packages test-packages
	@Tests/coverage.sh

# Tests these pages in Chromium: links, search, videos, light and dark. A separate target, because the videos take
# minutes to build.
site-test: site test-packages
	@Tests/Preview/run.sh site

# Tests the page of the preview in Chromium.
preview-test: build test-packages
	@Tests/Preview/run.sh

# The latency of the preview from a save to the display.
bench-preview: static test-packages
	@Tests/Preview/run.sh bench

# Compares the language server with clangd, ty and tombi: latency, memory, and robustness.
bench-lsp: static
	$(call install_packages,clangd python3-venv)
	@Tests/Server/run.sh $(BIN)/scenec

# A million random edits and messages for the language server; about ten minutes.
STORM ?= 1000000
storm: build
	@/usr/bin/python3 -B Tests/Server/storm.py $(BIN)/scenec $(STORM) $(SEED)

# Runs the tests of C code and foreign files with the address and undefined-behavior sanitizers, and those of builds,
# sessions and decoder processes with the thread sanitizer, in copies in build/sanitize.
sanitize: packages test-packages
	@Tests/sanitize.sh address
	@Tests/sanitize.sh thread

lint:
	@$(SWIFT) format lint --strict --recursive --parallel Sources Tests Examples Package.swift

format:
	@$(SWIFT) format --in-place --recursive --parallel Sources Tests Examples Package.swift

install: static
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(STATIC)/scenec $(STATIC)/scenec-render $(STATIC)/scenec-decode $(STATIC)/scenec-clip $(DESTDIR)$(PREFIX)/bin
	install -d $(SHARE)/nvim/site $(SHARE)/vim/vimfiles $(SHARE)/emacs/site-lisp $(SHARE)/scenec
	cp -R Editors/vim/*/ $(SHARE)/nvim/site
	cp -R Editors/vim/*/ $(SHARE)/vim/vimfiles
	install -m 644 Editors/emacs/*.el $(SHARE)/emacs/site-lisp
	cp -R Editors/vscode Editors/kate $(SHARE)/scenec
	$(STATIC)/scenec-dev shells build/shells
	install -D -m 644 build/shells/scenec.bash $(SHARE)/bash-completion/completions/scenec
	install -D -m 644 build/shells/_scenec $(SHARE)/zsh/site-functions/_scenec
	install -D -m 644 build/shells/scenec.fish $(SHARE)/fish/vendor_completions.d/scenec.fish
	install -D -m 644 build/shells/scenec.1 $(SHARE)/man/man1/scenec.1

# The extension for VS Code as a single file, build/scene.vsix, with the version of scenec.
vsix:
	@rm -rf build/vsix build/scene.vsix
	@mkdir -p build/vsix
	@cp -R Editors/vscode build/vsix/extension
	@mv build/vsix/extension/vsix/* build/vsix
	@rmdir build/vsix/extension/vsix
	@version=$$(sed -n 's/.*version = "\(.*\)"/\1/p' Sources/Programs/SceneCLI/Version.swift) && \
	  sed -i "s/0\.0\.0/$$version/" build/vsix/extension/package.json build/vsix/extension.vsixmanifest
	@cd build/vsix && /usr/bin/python3 -m zipfile -c ../scene.vsix *

# A Debian package, and an archive without dependencies: build/packages.
PACKAGING_PACKAGES := dpkg-dev patchelf xz-utils mmdebstrap shellcheck
packaging-packages:
	$(call install_packages,$(PACKAGING_PACKAGES))

deb: static packaging-packages
	@mkdir -p build/packages && Tests/Packages/deb.sh $(STATIC) build/packages

tarball: static packaging-packages
	@mkdir -p build/packages && Tests/Packages/tarball.sh $(STATIC) build/packages

# Everything that a release publishes: packages, the extension for VS Code, a container file, release notes and
# checksums, build/release. It ends with the commands that tag the commit and push the tag.
release: deb tarball vsix
	@Tests/Packages/release.sh $(STATIC) build/packages build/scene.vsix build/release

# Tests both, each on a bare Debian 12. Requires root.
packages-test: deb tarball
	@Tests/Packages/try.sh deb build/packages/scenec_*.deb
	@Tests/Packages/try.sh tarball build/packages/scenec-*.tar.xz

# Checks all guarantees with thousands of complete builds of random scenes, edited scenes with a cache, clips of all
# kinds in ten scenes each, and thousands of damaged clips.
COUNT ?= 2000
SEED ?= 1
SIMULATIONS ?= 1000000
soak: dev test-packages photographs
	@nice $(BIN)/scenec-dev whole $(COUNT) $(SEED)
	@nice $(BIN)/scenec-dev edits $(COUNT) $(SEED)
	@nice $(BIN)/scenec-dev store 1000 $(SEED)
	@nice $(BIN)/scenec-dev sync
	@nice /usr/bin/python3 -B Tests/Watch/saves.py $(BIN)/scenec 1000 $(SEED)
	@nice Tests/Preview/run.sh soak
	@nice $(SWIFT) build $(FLAGS) --product scenec-simulate
	@nice $(BIN)/scenec-simulate all $(SEED) $(SIMULATIONS)
	@test -n "$(MEDIA)" || echo "no public clips are compared: name a folder of them with MEDIA=folder"
	@$(if $(MEDIA),SCENEC_MEDIA=$(MEDIA)) SCENEC_SOAK=1 SCENEC_ALL=1 SCENEC_LAWS=2000 nice $(SWIFT) test $(FLAGS) --disable-xctest \
	  --filter 'BlowUpTests|BrokenLineTests|ClipSceneTests|DamageTests|DrawingStepsTests|FileReferenceTests|FixTests|FlashTrackerTests|GeneratedReferenceTests|GlyphMorphTests|HostileFileTests|LawTests|LibraryDrawingTests|LightTests|NameIndexTests|OpenGroupTests|OutlineTests|ParameterChangeTests|HitTests|LiteralTests|LookTests|ParserTests|PrefixTests|PromiseTests|SceneRecordTests|SegmentContentTests|SignalTests|SoundOutputTests|StreamTests|TypeTests|VectorTests'

# Renders a video on a Slurm cluster of two nodes on this machine, and compares it with a local build.
FARM_PACKAGES := slurmctld slurmd slurm-client munge
farm: build
	$(call install_packages,$(FARM_PACKAGES))
	@/usr/bin/python3 Tests/Farm/run.py $(BIN)

# Compares glyph positions with LaTeX for a list of formulas.
FORMULA_PACKAGES := texlive-luatex texlive-latex-recommended
formulas: build
	$(call install_packages,$(FORMULA_PACKAGES))
	@/usr/bin/python3 Tests/Formulas/run.py $(BIN)

# Compares the output of two builds of scenec for the examples and the manual, byte by byte; OLD is the folder with the
# programs of another commit.
compare: dev photographs
	@$(BIN)/scenec-dev compare $(OLD) $(BIN)

bench: static test-packages photographs
	@$(BIN)/scenec-dev bench
	@/usr/bin/python3 -B Tests/Watch/stop.py $(BIN)/scenec Examples/bench-film Examples/bench-flow

# The cost of edits of a five-minute video, the cost of segment boundaries, and the speedup with many machines.
bench-engine: static test-packages photographs
	@$(BIN)/scenec-dev bench film
	@$(BIN)/scenec-dev bench joins
	@$(BIN)/scenec-dev bench shards

# The CPU time of each phase of a check, compared with the programs of another commit in the folder OLD, if set.
bench-check: dev
	@$(SWIFT) build $(FLAGS) --product test-measure 2>&1 | { grep -vE $(JOBS_NOTE) || true; }
	@$(BIN)/scenec-dev bench check $(OLD)

# Tests the library from a separate package, with the manifest and the program of its documentation.
library: packages
	@place=$$(mktemp -d) && trap "rm -rf $$place" EXIT && ln -s $(CURDIR) $$place/scenec && \
	mkdir -p $$place/films/Sources/films && cd $$place/films && \
	awk '/^```/{on = !on; n += on; next} on && n == 1' ../scenec/Examples/library/README.md > Package.swift && \
	awk '/^```/{on = !on; n += on; next} on && n == 2' ../scenec/Examples/library/README.md > Sources/films/main.swift && \
	$(SWIFT) build && .build/debug/films && ls -l film.mp4 && ls .build/debug/scenec-clip .build/debug/scenec-decode

# Searches for inputs that crash, hang or take more than 512 MB. Findings are stored in Tests/Fuzz, and `make test`
# repeats them.
SECONDS ?= 60
FUZZ = SWIFT_BACKTRACE=enable=no .build/fuzz/scenec-fuzz build/$@ -max_total_time=$(SECONDS) \
  -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=512 -print_final_stats=1

.build/fuzz/scenec-fuzz: packages
	@$(SWIFT) build -c release --scratch-path .build/fuzz --product SceneFuzz \
	  -Xswiftc -sanitize=fuzzer 2>&1 | { grep -vE $(JOBS_NOTE) || true; }
	@$(SWIFT)c -sanitize=fuzzer .build/fuzz/release/libSceneFuzz.a -ljson-c -lpolyclipping -lstdc++ -o $@

fuzz: dev .build/fuzz/scenec-fuzz
	@mkdir -p build/$@
	@$(BIN)/scenec-dev seeds build/fuzz
	$(FUZZ) -dict=Tests/Fuzz/dictionary.txt -max_len=1200 -artifact_prefix=Tests/Fuzz/

# Fuzzes the input of the language server: frames and JSON.
fuzz-messages: .build/fuzz/scenec-fuzz
	@mkdir -p build/$@ Tests/Fuzz/messages
	@printf 'Content-Length: 29\r\n\r\n{"jsonrpc":"2.0","id":[1e3]}\n' > build/$@/message
	$(FUZZ) -max_len=300 -artifact_prefix=Tests/Fuzz/messages/

# Checks and renders scenes of the corpus with some tokens changed, for SECONDS.
mutate: dev
	@$(BIN)/scenec-dev mutate $(SECONDS) $(SEED)

# Plays build/demo.mp4 in headless Chromium, and a video in every format that browsers support.
play: demo dev
	@$(BIN)/scenec-dev play build/demo.mp4
	@$(BIN)/scenec-dev play formats

clean:
	rm -rf .build build
