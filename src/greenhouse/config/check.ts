import { isObject, type OptionRules } from '../../core/definitions/options.ts'
import type { Problem } from '../../core/definitions/problem.ts'
import { showValue } from '../../core/definitions/shown-value.ts'
import { suggest } from '../../core/definitions/suggest.ts'
import { configRules } from './define.ts'

export function findConfigProblems(file: string, config: unknown): Problem[] {
  if (isObject(config)) return [...checkSection(file, [], config, configRules)]
  return [
    {
      file,
      path: [],
      message: `expected an object of settings, such as { port: 4100 }, received ${showValue(config)}`,
    },
  ]
}

function* checkSection(file: string, path: readonly string[], section: object, rules: OptionRules): Generator<Problem> {
  for (const [name, value] of Object.entries(section)) {
    const own = [...path, name]
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule) {
      const known = Object.keys(rules)
      const hint = suggest(name, known) || ` Expected one of ${known.join(', ')}.`
      yield { file, path: own, message: `there is no such setting.${hint}` }
    } else if (value !== undefined && !rule.accepts(value)) {
      const received = rule.isSecret ? 'something else' : showValue(value)
      yield { file, path: own, message: `expected ${rule.takes}, received ${received}` }
    } else if (rule.below && value !== undefined) yield* checkSection(file, own, value as object, rule.below)
  }
}
