/**
 * Expressions that were proved linear, and whose proof takes seconds. A text that is not here word for word is proved in every run;
 * these are where the tests run at full size.
 */
export const proved: ReadonlySet<string> = new Set([
  String.raw`/\b(?:assert\w*|errors?|failed|failures?|exception|denied|refused)\b/`,
  String.raw`/^(?:error|fatal|panic|assertion failed|thrown|uncaught|curl)\b.*:/i`,
  String.raw`/\b(?:no|0) (?:errors?|fail\w*)\b/i`,
  String.raw`/\b(?:bearer|basic)[\s+]+([\w.~/=-][\w.~+/=-]+)/gi`,
  String.raw`/(?:^|[^A-Za-z0-9])(github_pat_\w{8,})/g`,
  String.raw`/(?:^|[^A-Za-z0-9])(xox[a-z]-[\w-]{8,})/g`,
  String.raw`/(?:^|[^A-Za-z0-9])(glpat-[\w-]{8,})/g`,
  String.raw`/(?:^|[^A-Za-z0-9])(AIza[\w-]{8,})/g`,
  String.raw`/(?:^|[^A-Za-z0-9])(sk-[\w-]{8,})/g`,
  String.raw`/(?:^|[^A-Za-z0-9])((?:sk|rk|pk)_(?:live|test)_\w+)/g`,
  String.raw`/\b(fp_[\da-f]{12}|key_copied(_\d+)?|req_[a-z0-9]{16})\b/g`,
  String.raw`/(-----BEGIN [^-]*-----[^-]*)/g`,
])
