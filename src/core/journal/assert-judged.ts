/** @throws Error where nothing holds requests against the contract: none found would read as none made. */
export function assertJudged(judge: unknown): void {
  if (judge === undefined)
    throw new Error(
      "Failed to look for violations: this Greenhouse does not check requests against the contract. Import { judge } from 'greenhouse-mock/judge' and give it to createGreenhouse: { judge }.",
    )
}
