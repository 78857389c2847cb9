import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Greenhouse } from '../../api/greenhouse.ts'
import { systemNow } from '../../core/time/clock.ts'
import {
  collectEvidence,
  coverageOf,
  type Evidence,
  isEvidence,
  mergeEvidence,
} from '../../evidence/collect.ts'
import type { GateArguments } from '../flags/gates.ts'
import { withUsageErrors } from '../flags/flags.ts'
import type { Terminal } from '../terminal.ts'
import { createTemporaryFolder } from '../files.ts'
import { type CommandEnd, toVerdict, type GateVerdict } from './gates.ts'

/** The flags whose globs may fit nothing. */
export const coverageFlags = '--coverage-only, --coverage-ignore: '

export function startEvidence(greenhouse: Greenhouse, args: GateArguments) {
  const cover = (evidence: Evidence) =>
    coverageOf(evidence, greenhouse, args.coverageIgnore, args.coverageOnly)
  const collector = collectEvidence(greenhouse)
  withUsageErrors(() => cover(mergeEvidence([])), coverageFlags)
  const folder = createTemporaryFolder('evidence')
  return {
    env: { GREENHOUSE_EVIDENCE: folder },
    end(terminal: Terminal, ended: CommandEnd): GateVerdict {
      const written = readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => ({
          name,
          evidence: readJsonFile(join(folder, name)),
        }))
      const broken = written.filter(({ evidence }) => !isEvidence(evidence))
      const evidence = mergeEvidence([
        collector.end(),
        ...written.map((one) => one.evidence).filter(isEvidence),
      ])
      rmSync(folder, {
        recursive: true,
        force: true,
      })
      const verdict = toVerdict(
        {
          ...evidence,
          coverage: cover(evidence),
        },
        args,
        terminal,
        ended,
      )
      const leftOut = broken.map(
        ({ name }) =>
          `Left out ${name} in GREENHOUSE_EVIDENCE: expected what collector.end() returns, as JSON.\n`,
      )
      return {
        ...verdict,
        text: [...leftOut, verdict.text].filter((text) => text !== '').join('\n'),
      }
    },
  }
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

export function collectFor(greenhouse: Greenhouse, folder: string): () => void {
  const collector = collectEvidence(greenhouse)
  return () => {
    const text = JSON.stringify(collector.end())
    try {
      writeFileSync(join(folder, `${process.pid}-serve-${systemNow()}.json`), text)
    } catch {
      // The outer command has ended and no longer reads it.
    }
  }
}
