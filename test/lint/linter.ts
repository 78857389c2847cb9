import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The linter's result: the rules that each file breaks, and the exit code. */
export interface Verdict {
  exitCode: number | null
  broken: Record<string, string[]>
}

/** Lints these files, by path, with the project's own rules in a folder of their own. */
export function lint(files: Readonly<Record<string, string>>): Verdict {
  const folder = mkdtempSync(join(tmpdir(), 'greenhouse-lint-'))
  try {
    cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { status, stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'],
      { cwd: folder, encoding: 'utf8' },
    )
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
    const broken: Record<string, string[]> = {}
    for (const { code, filename } of diagnostics) {
      const rules = (broken[filename.replaceAll('\\', '/')] ??= [])
      if (!rules.includes(code)) rules.push(code)
    }
    return { exitCode: status, broken }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
