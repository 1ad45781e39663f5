"""`groundspeed claims`: check a ledger, explain one claim, export the schema."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from groundspeed.cli.options import (
    CsvOption,
    JsonOption,
    MarkdownOption,
    OutputOption,
    RecordOption,
    chosen_format,
    emit,
    examples,
    show,
    split,
)

app = typer.Typer()
claims_app = typer.Typer(no_args_is_help=True, help="Check what is said against what was measured.")
app.add_typer(claims_app, name="claims")

FAILED_ON = 3

LedgerArgument = Annotated[Path | None, typer.Argument(help="A ledger (YAML). Default: the built-in one.", show_default=False)]


@claims_app.command(
    epilog=examples(
        "groundspeed claims check",
        "groundspeed claims check --only S-07 --only S-08",
        "groundspeed claims check my-ledger.yaml --fail-on contradicted,overstated",
        "groundspeed claims check --csv --output claims.csv",
    )
)
def check(
    ledger: LedgerArgument = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Only these claims; may be repeated or comma-separated.")
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(metavar="VERDICTS", help=f"Exit with status {FAILED_ON} if a claim has one of these verdicts."),
    ] = None,
    json: JsonOption = False,
    csv: CsvOption = False,
    markdown: MarkdownOption = False,
    output: OutputOption = None,
    record: RecordOption = None,
) -> None:
    """Hold claims against the record.

    Each claim is a question to the record and the value as printed. Exit status: 0 all claims were answered, 1 the ledger or the record is at
    fault (every mistake is listed with its line), 3 a verdict of --fail-on was given.
    """
    from groundspeed.api import check_claims
    from groundspeed.audit.claims.verdicts import known_verdicts
    from groundspeed.report import claims as report
    from groundspeed.report.export import to_json

    form = chosen_format(json, csv, markdown, output)
    failing = known_verdicts(split(fail_on))
    findings = check_claims(ledger, record=record, only=split(only))
    if form == "json":
        emit(to_json(findings), output)
    elif form == "csv":
        emit(report.claims_csv(findings), output)
    elif form == "markdown":
        emit(report.claims_markdown(findings), output)
    else:
        show(report.render_claims(findings), output)
    if any(f.verdict in failing for f in findings):
        raise typer.Exit(FAILED_ON)


@claims_app.command(
    epilog=examples("groundspeed claims explain S-07", "groundspeed claims explain my-claim --ledger my-ledger.yaml")
)
def explain(
    claim: Annotated[str, typer.Argument(metavar="ID", help="The claim's id.")],
    ledger: Annotated[Path | None, typer.Option(help="A ledger (YAML). Default: the built-in one.")] = None,
    json: JsonOption = False,
    record: RecordOption = None,
) -> None:
    """Argue one claim: sentence, question, rows, arithmetic, verdict.

    And what would change the verdict.
    """
    from groundspeed.api import check_claims
    from groundspeed.report.claims import render_explanation
    from groundspeed.report.export import to_json

    (finding,) = check_claims(ledger, record=record, only=[claim])
    if json:
        emit(to_json([finding]))
    else:
        show(render_explanation(finding))


@claims_app.command(epilog=examples("groundspeed claims schema --output ledger.schema.json"))
def schema(output: OutputOption = None) -> None:
    """Print the JSON Schema of ledgers, for editors."""
    import msgspec

    from groundspeed.audit.claims import schema as ledger_schema

    emit(msgspec.json.format(msgspec.json.encode(ledger_schema()), indent=2).decode() + "\n", output)
