/** @throws Error without a judge: an empty list would read as "no violations". */
export function assertJudged(judge: unknown): void {
  if (judge === undefined)
    throw new Error(
      "Failed to look for violations: this Greenhouse does not check requests against the contract. Import { judge } from 'greenhouse-mock/judge' and pass it: createGreenhouse({ judge }).",
    )
}
