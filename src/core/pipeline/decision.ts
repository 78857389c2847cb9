/** Whether an effect acts on a request, and why: as text, or as a function that makes the text from a count when it is read. */
export interface Decision {
  readonly due: boolean
  readonly why: string | ((count: number) => string)
  /** Which one it is of the requests that the effect is meant for. */
  readonly count?: number
}
