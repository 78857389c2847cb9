/**
 * Why a reply is not what the client hoped for: one sentence for the developer. As a function it is made when it is read;
 * `show` gives the fingerprint of a text that may be secret. All of a text is looked through for secrets, of what a function
 * gives only what it has shown.
 */
export type Explanation = string | ((show: (text: string) => string) => string)

/** What an explanation that is made when it is read takes, in bytes, roughly. */
const functionWeight = 400

/** How many bytes of memory an explanation takes. */
export function explanationWeight(explanation: Explanation | undefined): number {
  if (explanation === undefined) return 0
  return typeof explanation === 'string' ? 2 * explanation.length + 24 : functionWeight
}
