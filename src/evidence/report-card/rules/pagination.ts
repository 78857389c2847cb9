import { NewestMap, toPast, type Past, type Rule } from '../rule.ts'

export const followsPagination: Rule = {
  name: 'follows-pagination',
  title: 'Reads the next page of a list, with the cursor it got',
  why: 'Whatever is not on the first page does not exist for the user.',
  exercise: 'read a list that has more records than its limit, such as apps.list with limit=1',
  watch({ pass, fail }) {
    const more = new NewestMap<Past & { operation: string }>()
    const followed = new Set<string>()
    return {
      see(request) {
        const { operation = '', query, status } = request
        const cursor = query.get('cursor')
        if (cursor !== null) {
          const page = more.get(`${operation} ${cursor}`)
          if (page) {
            followed.add(operation)
            pass(page, request)
            more.delete(`${operation} ${cursor}`)
          } else if (status === 400) fail('used a cursor that no reply had', request)
        }
        const next = toNextCursor(request.text, status)
        if (next !== undefined) more.set(`${operation} ${next}`, { ...toPast(request), operation })
      },
      end() {
        for (const page of more.values())
          if (!followed.has(page.operation)) {
            followed.add(page.operation)
            fail('has_more was true, and no request asked for the next page', page)
          }
      },
    }
  },
}

function toNextCursor(text: string | undefined, status: number): string | undefined {
  if (status !== 200 || text === undefined || !text.includes('"has_more":true')) return undefined
  const found = [...text.matchAll(/"next_cursor":"([^"\\]+)"/g)].at(-1)
  return found?.[1]
}
