import { explainMissing, findNearMisses } from '../../find-near-misses.ts'
import { defineRule } from '../rule.ts'

export const unknownPathRule = defineRule({
  id: 'unknown-path',
  about: 'line',
  isRefused: true,
  finds: 'a path that no operation has',
  check({ methods, request, path, areas }, problems) {
    if (methods.length > 0) return
    const find = () =>
      findNearMisses(
        request.method,
        path,
        areas.map(({ area }) => area),
      )
    problems.add(() => {
      const explanation = explainMissing(path, find)
      const sentence = typeof explanation === 'string' ? explanation : explanation((text) => text)
      return sentence.endsWith('?') ? sentence : `${sentence}.`
    })
  },
})
