/**
 * Why a reply is an error, or was changed: one sentence for the developer. A function is called when the sentence is
 * read; its `show` replaces a possible secret by its fingerprint. A text is searched for secrets; of a function's
 * result, only what it passed through `show`.
 */
export type Explanation = string | ((show: (text: string) => string) => string)

/** The bytes of an explanation that is a function, roughly. */
const functionWeight = 400

/** Returns the bytes of memory of an explanation. */
export function explanationWeight(explanation: Explanation | undefined): number {
  if (explanation === undefined) return 0
  return typeof explanation === 'string' ? 2 * explanation.length + 24 : functionWeight
}
