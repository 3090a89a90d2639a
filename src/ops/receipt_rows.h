#pragma once
// Rows of the operation table: receipts. Included by operations.cc alone.
#include <array>

#include "ops/change_ops.h"
#include "ops/change_rows.h"
#include "ops/proposal_ops.h"
#include "ops/shared_rows.h"

namespace gh::ops {

// clang-format off
inline constexpr std::array kReceiptOperands{Operand{"RECEIPT", Arity::required, "digest of a receipt, or a commit whose trailer or note names one", Completes::ref}};
inline constexpr std::array kMaybeReceipt{Operand{"RECEIPT", Arity::optional, "digest of a receipt, or a commit whose trailer or note names one", Completes::ref}};
inline constexpr std::array kReceiptShowOptions{
    Option{"run", OptionType::text, "RUN", "", "the receipt of a change that ended with this run", "", Completes::run},
    Option{"intent", OptionType::text, "ID", "", "the receipt of this intent"},
    Option{"trail", OptionType::flag, "", "", "the patch trail of the finish that made it, instead"},
    Option{"format", OptionType::choice, "FORMAT", "structured", "the document (json is another word for it), or the page for people", "structured json markdown"},
};
inline constexpr std::array kReceiptCreateOptions{
    Option{"run", OptionType::text, "RUN", "", "run to tell of (default: the latest one)", "", Completes::run},
    Option{"intent", OptionType::text, "ID", "", "intent to tell of (default: the newest one of this session on that run)"},
    Option{"format", OptionType::choice, "FORMAT", "markdown", "a page for people, or the document", "markdown json"},
    Option{"blast-radius", OptionType::flag, "", "true", "say who is concerned"},
    Option{"patch-contract", OptionType::flag, "", "true", "say what is known of the judgement"},
    kSession,
};
inline constexpr std::array kReceiptCreateExamples{
    Example{"gatehouse receipt create", "What is known of the latest run, as a page for a reviewer."},
    Example{"gatehouse receipt create --run latest --format json --no-blast-radius", "The same as a document, without one of its parts."},
};
inline constexpr std::array kAttachOperands{Operand{"COMMIT", Arity::optional, "commit that holds the change (default: HEAD)", Completes::ref}};
inline constexpr std::array kReceiptAttachOptions{
    Option{"receipt", OptionType::text, "DIGEST", "", "this receipt (default: the one that the commit names, or that was given for what it changes)"},
    kSession,
};
inline constexpr std::array kReceiptAttachExamples{
    Example{"gatehouse receipt attach", "The last commit is the change that was finished: put its receipt beside it."},
    Example{"gatehouse receipt attach HEAD --json", "The same, with the note that was written."},
};
inline constexpr std::array kReceiptTrailersOptions{kSession};
inline constexpr std::array kReceiptTrailersExamples{
    Example{"git add -A && git commit -q -m 'say it better' -m \"$(gatehouse receipt trailers)\"", "Commit what was finished, with lines that name its receipt."},
    Example{"git add -A && gatehouse receipt trailers --json", "The lines as a document."},
};
inline constexpr std::array kReceiptShowExamples{
    Example{"gatehouse receipt show HEAD", "The receipt that the last commit names."},
    Example{"gatehouse receipt show HEAD --field body.proposal_digest", "One member of it."},
};
inline constexpr std::array kReceiptVerifyOptions{
    Option{"file", OptionType::path, "FILE", "", "a receipt in a file, from anywhere", "", Completes::file},
    Option{"allowed", OptionType::path, "FILE", "", "public keys that may sign, one a line", "", Completes::file},
    Option{"exit-review", OptionType::flag, "", "", "exit 11 when nobody vouches for it"},
};
inline constexpr std::array kReceiptVerifyExamples{
    Example{"gatehouse receipt verify HEAD", "Does the receipt of the last commit hold together?"},
    Example{"gatehouse receipt verify --file receipt.json --allowed keys.txt", "Was this receipt signed by one of these keys?"},
};
inline constexpr std::array kReceiptExportOptions{
    Option{"format", OptionType::choice, "FORMAT", "in-toto", "the form that another tool reads", "json in-toto dsse slsa-vsa"},
    Option{"sign", OptionType::flag, "", "", "put it in a DSSE envelope, signed with store.signing_key"},
};
inline constexpr std::array kReceiptExportExamples{
    Example{"gatehouse receipt export HEAD --format in-toto", "An in-toto Statement whose predicate is the receipt."},
    Example{"gatehouse receipt export HEAD --format slsa-vsa", "A SLSA verification summary."},
};

inline constexpr std::array kReceiptRows{
    Operation{
        .name = "create_receipt", .words = "receipt create", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Write down what is known of a run or an intent",
        .description =
            "Composes what is stored; nothing is analysed and nothing is judged anew. `patch_contract` is not_checked "
            "without an intent; with one it is violated when its last scope check was, when the gates of the run "
            "would fail as they were asked last, or when the run has findings that the run before it had not. A "
            "finish makes its own receipt; this one is for a change that has not come that far. It is kept, and "
            "'receipt show' finds it again; it goes with no commit.",
        .options = kReceiptCreateOptions, .examples = kReceiptCreateExamples,
        .exit_codes = "0 2 4", .run = receipt_create},
    Operation{
        .name = "attach_receipt", .words = "receipt attach", .group = kEvidence, .effect = Effect::writes_tree,
        .summary = "Put the receipt of a change beside its commit",
        .description =
            "Writes the receipt into the commit's note in refs/notes/gatehouse, one line of JSON, so that it travels "
            "with git: push and fetch that ref, unite two of them with 'git notes merge -s cat_sort_uniq', and set "
            "notes.rewriteRef to it so that an amended or rebased commit keeps its note. The commit must hold just "
            "what was finished: git patch-id --stable is compared, and every changed line.",
        .operands = kAttachOperands, .options = kReceiptAttachOptions, .examples = kReceiptAttachExamples,
        .exit_codes = "0 2 3 4", .run = receipt_attach},
    Operation{
        .name = "receipt_trailers", .words = "receipt trailers", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Lines for a commit message that name the receipt",
        .description =
            "Gatehouse-Intent, Gatehouse-Receipt, Gatehouse-Decision and Gatehouse-Agent, for 'git commit' or 'git "
            "interpret-trailers'. Without a RECEIPT it is the one that was given for what is staged; where nothing is left "
            "to commit, for what the last commit changes. Refused while changed files are not staged.",
        .operands = kMaybeReceipt, .options = kReceiptTrailersOptions, .examples = kReceiptTrailersExamples,
        .exit_codes = "0 2 3 4", .run = receipt_trailers},
    Operation{
        .name = "show_receipt", .words = "receipt show", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Print a receipt",
        .description =
            "By its digest, by a commit whose trailer or note names it, by the run that a change ended with, or by "
            "its intent. --trail prints the patch trail instead: what was declared, what was changed, how it was "
            "judged. --format markdown is the page for a reviewer. What cannot be shown has a status: not_found, "
            "ambiguous, digest_mismatch, malformed_stored_receipt, malformed_stored_patch_trail or "
            "unsupported_format.",
        .operands = kMaybeReceipt, .options = kReceiptShowOptions, .examples = kReceiptShowExamples,
        .exit_codes = "0 2 3 4 5", .run = receipt_show},
    Operation{
        .name = "verify_receipt", .words = "receipt verify", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "Check a receipt and its signature",
        .description =
            "Recomputes the digest and checks the signature. Somebody must vouch for the receipt: with --allowed one of "
            "those keys must have signed it; without, a key of an actor of kind gate (proposals.actors of gatehouse.yaml "
            "at the usual target), or this repository's ledger keeps it. A signature by any other key is valid and proves "
            "nothing: signer_not_known. Works offline on a file.\n\n"
            "Of a commit it is also asked whether it holds the change that the receipt was given for: the same tree on "
            "the same base (exact), or the same patch on another one (rebound), as after an amended message or a "
            "rebase. In a clone the receipt comes from the commit's note in refs/notes/gatehouse, or from "
            "refs/gatehouse/receipts; what lies in a ref is not believed for that.",
        .operands = kMaybeReceipt, .options = kReceiptVerifyOptions, .examples = kReceiptVerifyExamples,
        .exit_codes = "0 1 2 3 4 5 11", .run = receipt_verify},
    Operation{
        .name = "export_receipt", .words = "receipt export", .group = kEvidence, .effect = Effect::writes_state,
        .summary = "A receipt in the form that other tools read",
        .description =
            "in-toto Statement, SLSA verification summary, or either of them in a signed DSSE envelope.",
        .operands = kReceiptOperands, .options = kReceiptExportOptions, .examples = kReceiptExportExamples,
        .exit_codes = "0 2 3 4 5", .run = receipt_export},
};
// clang-format on

}  // namespace gh::ops
