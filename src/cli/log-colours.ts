/** Colours for a terminal, by what they mark. */
export type Paint = (colour: keyof typeof codes, text: string) => string

const codes = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

/** How lines look where they are printed. */
export interface Look {
  readonly paint: Paint
  /** How wide a line may be. */
  readonly width: number
}

/** The look of lines on a stream: colours as `isColoured` says, and the width of a terminal. */
export function lookOf(stream: { readonly isTTY?: boolean; readonly columns?: number }, env: NodeJS.ProcessEnv): Look {
  return {
    paint: createPaint(isColoured(stream, env)),
    // A window can change its size.
    get width() {
      return (stream.isTTY && stream.columns) || Infinity
    },
  }
}

/** Makes what colours text, or leaves it alone. */
export function createPaint(isColoured: boolean): Paint {
  return isColoured
    ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[${colour === 'dim' ? 22 : 39}m`
    : (_, text) => text
}

/**
 * Whether to colour what goes to a stream: where it is a terminal. `FORCE_COLOR` decides for itself, `0` and `false` against it;
 * else `NO_COLOR` with any value and a terminal called `dumb` say no.
 */
export function isColoured(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTTY === true && (none === undefined || none === '') && terminal !== 'dumb'
}
