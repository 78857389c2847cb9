type Paint = (colour: keyof typeof codes, text: string) => string

const codes = { dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 }

export interface LineFormat {
  readonly paint: Paint
  readonly width: number
}

export function lineFormatOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number },
  env: NodeJS.ProcessEnv,
): LineFormat {
  return {
    paint: createPaint(isColoured(stream, env)),
    // Terminals can be resized.
    get width() {
      return (stream.isTTY && stream.columns) || Infinity
    },
  }
}

function createPaint(isColoured: boolean): Paint {
  return isColoured
    ? (colour, text) => `\x1b[${codes[colour]}m${text}\x1b[${colour === 'dim' ? 22 : 39}m`
    : (_, text) => text
}

/**
 * Whether to colour output on a stream. `FORCE_COLOR` decides if set: `0` and `false` mean no. Otherwise only terminals
 * get colours, unless `NO_COLOR` is set and not empty, or `TERM` is `dumb`.
 */
function isColoured(
  { isTTY }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const { FORCE_COLOR: forced, NO_COLOR: none, TERM: terminal } = env
  if (forced !== undefined) return forced !== '0' && forced !== 'false'
  return isTTY === true && (none === undefined || none === '') && terminal !== 'dumb'
}
