# SPDX-License-Identifier: MIT
"""The language server with the client capabilities of five editors.

pytest-lsp rejects malformed messages, and warns about features that the client does not support. These
warnings are treated as errors.
"""
import os
import pathlib
import signal
import sys

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import (
    ClientServerConfig, LanguageClient, client_capabilities, make_test_lsp_client)

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent))

from waiting import until_async  # noqa: E402

SCENEC = os.path.abspath(os.environ.get("SCENEC", HERE / "../../.build/release/scenec"))
CLIENTS = ["neovim@0.7", "neovim@0.10", "neovim@0.11", "emacs@29", "visual_studio_code"]
pytestmark = pytest.mark.filterwarnings("error::pytest_lsp.LspSpecificationWarning")

FILM = """import "brand.scene"

/// How wide the box is.
let wide = 100
scene film {
    size: 640x360
    for: 2s
    rect box { fill:brand-color;  size: (wide, 50) }
    text "🎬 take one" { font-sise: 40px;  fill: #ff8a3d }
    text "{pi}" { position: box.center;  at: 0.5s;  enter: fade over 0.4s }
}
"""
BRAND = "/// What everything is painted with.\nlet brand-color = #ff8a3d\n"


def made():
    """A client that accepts all requests of the server."""
    client = make_test_lsp_client()
    client.applied = []
    client.refreshed = []

    @client.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params):
        return None

    @client.feature(types.WORKSPACE_APPLY_EDIT)
    def apply(params):
        client.applied.append(params)
        return types.ApplyWorkspaceEditResult(applied=True)

    for method in (types.WORKSPACE_INLAY_HINT_REFRESH, types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
                   types.WORKSPACE_CODE_LENS_REFRESH):
        @client.feature(method)
        def refresh(_, method=method):
            client.refreshed.append(method)
            return None

    return client


@pytest_lsp.fixture(
    params=CLIENTS,
    config=ClientServerConfig(server_command=[SCENEC, "lsp"], client_factory=made))
async def client(request, lsp_client: LanguageClient, tmp_path):
    lsp_client.folder = tmp_path
    (tmp_path / "film.scene").write_text(FILM, encoding="utf-8")
    (tmp_path / "brand.scene").write_text(BRAND, encoding="utf-8")
    abilities = client_capabilities(request.param)
    lsp_client.abilities = abilities
    answer = await lsp_client.initialize_session(types.InitializeParams(
        capabilities=abilities, root_uri=tmp_path.as_uri(),
        workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="films")]))
    lsp_client.server = answer.capabilities
    lsp_client.encoding = answer.capabilities.position_encoding or "utf-16"
    lsp_client.encoding = getattr(lsp_client.encoding, "value", lsp_client.encoding)
    yield
    await lsp_client.shutdown_session()


def uri(client, name="film.scene"):
    return (client.folder / name).as_uri()


def document(client, name="film.scene"):
    return types.TextDocumentIdentifier(uri=uri(client, name))


def width(client, text):
    """The length of a text in the negotiated position encoding."""
    return {"utf-8": len(text.encode()), "utf-16": len(text.encode("utf-16-le")) // 2,
            "utf-32": len(text)}[client.encoding]


def place(client, before, after="", text=FILM):
    """The position between `before` and `after` in a text."""
    at = text.index(before + after) + len(before)
    line = text.count("\n", 0, at)
    start = text.rfind("\n", 0, at) + 1
    return types.Position(line=line, character=width(client, text[start:at]))


def put(client, text, edits):
    """Returns a text with edits applied."""
    lines = text.split("\n")

    def offset(position):
        line = lines[position.line]
        count = 0
        for index, letter in enumerate(line):
            if count >= position.character:
                break
            count += width(client, letter)
        else:
            index = len(line)
        return sum(len(it) + 1 for it in lines[:position.line]) + index

    for edit in sorted(edits, key=lambda it: offset(it.range.start), reverse=True):
        text = text[:offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end):]
    return text


async def opened(client, text=FILM, name="film.scene"):
    """Opens a text and waits for its diagnostics."""
    client.text_document_did_open(types.DidOpenTextDocumentParams(
        text_document=types.TextDocumentItem(
            uri=uri(client, name), language_id="scene", version=1, text=text)))
    return await shown(client, name)


async def shown(client, name="film.scene", until=lambda found: True):
    """Waits for diagnostics of a text that meet a condition, and returns them."""
    last = None

    async def seen():
        nonlocal last
        # A client that pulls diagnostics gets no notifications.
        if client.server.diagnostic_provider and client.abilities.text_document.diagnostic:
            report = await client.text_document_diagnostic_async(
                types.DocumentDiagnosticParams(text_document=document(client, name)))
            found = report.items
        else:
            found = client.diagnostics.get(uri(client, name))
        last = found
        return (list(found),) if found is not None and until(found) else None

    return (await until_async(seen, lambda: f"diagnostics of {name}; the last were {last}"))[0]


def changes(edit):
    """The edits of a workspace edit by file name, in either form of the protocol."""
    if edit.document_changes:
        return {it.text_document.uri.rsplit("/", 1)[1]: it.edits for it in edit.document_changes}
    return {it.rsplit("/", 1)[1]: edits for it, edits in (edit.changes or {}).items()}


@pytest.mark.asyncio
async def test_agrees_on_an_encoding(client):
    offered = client.abilities.general and client.abilities.general.position_encodings
    assert client.encoding in [it if isinstance(it, str) else it.value
                                     for it in offered or ["utf-16"]]


@pytest.mark.asyncio
async def test_errors_stand_at_the_right_column_after_an_emoji(client):
    found = await opened(client)
    assert [it.code for it in found] == ["E0201"]
    assert found[0].range.start == place(client, "take one\" { ", "font-sise")
    assert found[0].range.end == place(client, "take one\" { font-sise")
    assert found[0].severity == types.DiagnosticSeverity.Error


@pytest.mark.asyncio
async def test_errors_go_when_they_are_fixed(client):
    await opened(client)
    start, end = place(client, "{ ", "font-sise"), place(client, "font-sise")
    client.text_document_did_change(types.DidChangeTextDocumentParams(
        text_document=types.VersionedTextDocumentIdentifier(uri=uri(client), version=2),
        content_changes=[types.TextDocumentContentChangePartial(
            range=types.Range(start=start, end=end), text="font-size")]))
    assert await shown(client, until=lambda found: not found) == []


@pytest.mark.asyncio
async def test_completion(client):
    await opened(client)
    answer = await client.text_document_completion_async(types.CompletionParams(
        text_document=document(client), position=place(client, "font-si", "se")))
    items = answer.items if isinstance(answer, types.CompletionList) else answer
    item = next(it for it in items if it.label == "font-size")
    completion = client.abilities.text_document.completion
    defaults = completion.completion_list and completion.completion_list.item_defaults or []
    # The common edit range is sent once to clients that support it.
    if "editRange" in defaults:
        assert item.text_edit is None
        where = answer.item_defaults.edit_range
    else:
        where = item.text_edit
    if completion.completion_item.insert_replace_support:
        assert where.insert.end == place(client, "font-si", "se")
        whole = where.replace
    else:
        whole = where.range if item.text_edit else where
    assert whole.start == place(client, "take one\" { ", "font-sise")
    if client.server.completion_provider.resolve_provider:
        more = await client.completion_item_resolve_async(item)
        assert more.documentation is not None
        assert more.label == "font-size"


@pytest.mark.asyncio
async def test_snippets_only_where_they_are_announced(client):
    text = FILM.replace("    rect box", "    \n    rect box")
    await opened(client, text)
    answer = await client.text_document_completion_async(types.CompletionParams(
        text_document=document(client), position=types.Position(line=7, character=4)))
    items = answer.items if isinstance(answer, types.CompletionList) else answer
    snippets = [it for it in items if it.insert_text_format == types.InsertTextFormat.Snippet]
    announced = client.abilities.text_document.completion.completion_item.snippet_support
    assert bool(snippets) == bool(announced)
    assert "circle" in [it.label for it in items]


@pytest.mark.asyncio
async def test_hover(client):
    await opened(client)
    answer = await client.text_document_hover_async(types.HoverParams(
        text_document=document(client), position=place(client, "(wi", "de")))
    assert isinstance(answer.contents, types.MarkupContent)
    formats = client.abilities.text_document.hover.content_format or ["plaintext"]
    assert answer.contents.kind in formats
    assert "How wide the box is." in answer.contents.value
    assert answer.range.start == place(client, "(", "wide")


@pytest.mark.asyncio
async def test_signature_help(client):
    text = FILM.replace("(wide, 50)", "(max(1, ), 50)")
    await opened(client, text)
    answer = await client.text_document_signature_help_async(types.SignatureHelpParams(
        text_document=document(client), position=place(client, "max(1, ", text=text)))
    assert answer.signatures[0].label.startswith("max(")


@pytest.mark.asyncio
async def test_definition_in_another_file(client):
    await opened(client)
    answer = await client.text_document_definition_async(types.DefinitionParams(
        text_document=document(client), position=place(client, "fill:brand", "-color")))
    first = answer[0] if isinstance(answer, list) else answer
    target = first.target_uri if isinstance(first, types.LocationLink) else first.uri
    assert target == uri(client, "brand.scene")


@pytest.mark.asyncio
async def test_references_and_highlights(client):
    await opened(client)
    at = place(client, "rect b", "ox")
    found = await client.text_document_references_async(types.ReferenceParams(
        text_document=document(client), position=at,
        context=types.ReferenceContext(include_declaration=True)))
    assert len(found) == 2
    marked = await client.text_document_document_highlight_async(types.DocumentHighlightParams(
        text_document=document(client), position=at))
    assert [it.kind for it in marked] == [
        types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read]


@pytest.mark.asyncio
async def test_rename_over_two_files(client):
    await opened(client)
    at = place(client, "fill:brand", "-color")
    prepared = await client.text_document_prepare_rename_async(types.PrepareRenameParams(
        text_document=document(client), position=at))
    assert prepared is not None
    edit = await client.text_document_rename_async(types.RenameParams(
        text_document=document(client), position=at, new_name="accent"))
    found = changes(edit)
    assert put(client, FILM, found["film.scene"]) == FILM.replace("brand-color", "accent")
    assert put(client, BRAND, found["brand.scene"]) == BRAND.replace("brand-color", "accent")


@pytest.mark.asyncio
async def test_a_rename_that_cannot_be_is_refused_with_its_reason(client):
    await opened(client)
    with pytest.raises(JsonRpcException) as refused:
        await client.text_document_rename_async(types.RenameParams(
            text_document=document(client), position=place(client, "rect b", "ox"),
            new_name="two words"))
    assert "two words" in str(refused.value)


@pytest.mark.asyncio
async def test_symbols(client):
    await opened(client)
    found = await client.text_document_document_symbol_async(
        types.DocumentSymbolParams(text_document=document(client)))
    support = client.abilities.text_document.document_symbol
    if support and support.hierarchical_document_symbol_support:
        assert [it.name for it in found] == ['"brand.scene"', "wide", "film"]
        assert "box" in [it.name for it in found[2].children]
    else:
        assert {"wide", "film"} <= {it.name for it in found}
    everywhere = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="brnd"))
    assert "brand-color" in [it.name for it in everywhere]


@pytest.mark.asyncio
async def test_semantic_tokens(client):
    await opened(client)
    if not client.server.semantic_tokens_provider:
        pytest.skip("not announced")
    whole = await client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(text_document=document(client)))
    assert len(whole.data) % 5 == 0 and len(whole.data) > 50
    part = await client.text_document_semantic_tokens_range_async(
        types.SemanticTokensRangeParams(
            text_document=document(client),
            range=types.Range(start=types.Position(line=3, character=0),
                              end=types.Position(line=5, character=0))))
    assert 0 < len(part.data) < len(whole.data)
    same = await client.text_document_semantic_tokens_full_delta_async(
        types.SemanticTokensDeltaParams(
            text_document=document(client), previous_result_id=whole.result_id))
    assert not same.edits


@pytest.mark.asyncio
async def test_folding_and_selection(client):
    await opened(client)
    folds = await client.text_document_folding_range_async(
        types.FoldingRangeParams(text_document=document(client)))
    assert (4, 10) in [(it.start_line, it.end_line) for it in folds] or (4, 9) in [
        (it.start_line, it.end_line) for it in folds]
    ranges = await client.text_document_selection_range_async(types.SelectionRangeParams(
        text_document=document(client), positions=[place(client, "(wi", "de")]))
    outer, count = ranges[0], 0
    while outer:
        outer, count = outer.parent, count + 1
    assert count >= 4


@pytest.mark.asyncio
async def test_colours(client):
    await opened(client)
    found = await client.text_document_document_color_async(
        types.DocumentColorParams(text_document=document(client)))
    assert len(found) == 1 and abs(found[0].color.green - 0x8a / 255) < 1e-6
    forms = await client.text_document_color_presentation_async(types.ColorPresentationParams(
        text_document=document(client), color=found[0].color, range=found[0].range))
    assert forms[0].label == "#ff8a3d"


@pytest.mark.asyncio
async def test_inlay_hints(client):
    await opened(client)
    if not client.server.inlay_hint_provider:
        pytest.skip("not announced")
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(
        text_document=document(client),
        range=types.Range(start=types.Position(line=0, character=0),
                          end=types.Position(line=11, character=0))))
    assert hints is not None


@pytest.mark.asyncio
async def test_formatting(client):
    text = FILM.replace("font-sise", "font-size")
    await opened(client, text)
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(types.DocumentFormattingParams(
        text_document=document(client), options=options))
    assert put(client, text, edits) == text.replace("fill:brand", "fill: brand")
    some = await client.text_document_range_formatting_async(types.DocumentRangeFormattingParams(
        text_document=document(client), options=options,
        range=types.Range(start=types.Position(line=0, character=0),
                          end=types.Position(line=3, character=0))))
    assert not some
    typed = await client.text_document_on_type_formatting_async(
        types.DocumentOnTypeFormattingParams(
            text_document=document(client), options=options, ch="}",
            position=types.Position(line=10, character=1)))
    assert not typed


@pytest.mark.asyncio
async def test_a_fix_fixes(client):
    found = await opened(client)
    actions = await client.text_document_code_action_async(types.CodeActionParams(
        text_document=document(client), range=found[0].range,
        context=types.CodeActionContext(diagnostics=found)))
    fix = next(it for it in actions if "font-size" in it.title)
    edit = fix.edit if isinstance(fix, types.CodeAction) else None
    if edit is None:
        command = fix if isinstance(fix, types.Command) else fix.command
        await client.workspace_execute_command_async(types.ExecuteCommandParams(
            command=command.command, arguments=command.arguments))
        edit = client.applied[-1].edit
    assert put(client, FILM, changes(edit)["film.scene"]) == FILM.replace("font-sise", "font-size")


@pytest.mark.asyncio
async def test_links_and_lenses(client):
    await opened(client)
    links = await client.text_document_document_link_async(
        types.DocumentLinkParams(text_document=document(client)))
    assert [it.target for it in links] == [uri(client, "brand.scene")]
    if client.server.code_lens_provider:
        lenses = await client.text_document_code_lens_async(
            types.CodeLensParams(text_document=document(client)))
        assert all(it.range.start.line == 4 for it in lenses)


@pytest.mark.asyncio
async def test_the_preview_opens_at_an_instant(client):
    await opened(client)

    async def address(command, **given):
        answer = await client.workspace_execute_command_async(types.ExecuteCommandParams(
            command=f"scenec.{command}", arguments=[{"uri": uri(client), **given}]))
        return answer and (answer["url"] if isinstance(answer, dict) else answer.url)

    first = await address("openPreview", at=1.25)
    page, mark, place = first.partition("#")
    assert page.startswith("http://127.0.0.1:") and (mark, place) == ("#", "t=1.25")
    # The open page is reused, at a different time.
    assert await address("openPreview", at=0.5) == page + "#t=0.5"
    with pytest.raises(JsonRpcException, match="time in seconds"):
        await address("openPreview", at="soon")
    shows = client.abilities.window.show_document
    if shows and shows.support:
        assert [it.uri for it in client.shown_documents] == [first, page + "#t=0.5"]
    await address("closePreview")


@pytest.mark.asyncio
async def test_moving_a_file_moves_its_import(client):
    await opened(client)
    edit = await client.workspace_will_rename_files_async(types.RenameFilesParams(files=[
        types.FileRename(old_uri=uri(client, "brand.scene"),
                         new_uri=(client.folder / "looks" / "brand.scene").as_uri())]))
    assert "looks/brand.scene" in put(client, FILM, changes(edit)["film.scene"])


@pytest.mark.asyncio
async def test_goes_on_after_its_worker_was_killed(client):
    await opened(client)
    killed = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
            parent = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if b"--worker" in words and int(parent) == client._server.pid:
            os.kill(int(process), signal.SIGKILL)
            killed += 1
    assert killed == 1
    question = types.HoverParams(
        text_document=document(client), position=place(client, "(wi", "de"))
    try:
        answer = await client.text_document_hover_async(question)
    except JsonRpcException as lost:
        # The pending requests of the killed worker are answered, too.
        assert "the check crashed" in str(lost)
        answer = await client.text_document_hover_async(question)
    assert "How wide the box is." in answer.contents.value
