/**
 * Why a reply is an error, or was changed: one sentence for the developer. A function is called when the sentence is
 * read; its `show` replaces a possible secret by its fingerprint. A string is searched for secrets. The result of a
 * function is not: only what it passes to `show` is.
 */
export type Explanation = string | ((show: (text: string) => string) => string)

const functionWeight = 310

export function explanationWeight(explanation: Explanation | undefined): number {
  if (explanation === undefined) return 0
  return typeof explanation === 'string' ? 2 * explanation.length + 24 : functionWeight
}
