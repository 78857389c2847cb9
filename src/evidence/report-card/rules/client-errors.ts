import { isAfter, NewestMap, toPast, type Past, type Rule } from '../rule.ts'

const permanent = new Set([400, 401, 403, 404])

export const noRetryOf4xx: Rule = {
  name: 'no-retry-of-4xx',
  title: 'Does not repeat a request that was refused with 400, 401, 403 or 404',
  why: 'The answer stays the same: each try spends quota and makes the user wait.',
  exercise: "world.use('forbidden'), and do what the user does",
  watch({ pass, fail }) {
    const refused = new NewestMap<Past>()
    return {
      see(request) {
        // A successful write may change what other requests get.
        if (request.method !== 'GET' && request.status < 300 && request.status >= 200) {
          for (const past of refused.values()) pass(past)
          refused.clear()
        }
        const past = refused.get(request.same)
        if (past && isAfter(request, past) && past.status === request.status) {
          fail(`repeated after a ${past.status}`, past, request)
          refused.delete(request.same)
        } else if (permanent.has(request.status)) refused.set(request.same, toPast(request))
      },
      end() {
        for (const past of refused.values()) pass(past)
      },
    }
  },
}

export const stopsOnBadKey: Rule = {
  name: 'stops-on-bad-key',
  title: 'Stops using a key that was answered with 401',
  why: 'A key does not become valid again. The user needs to hear of it, once.',
  exercise: "world.use('expired-key'), and use the client for a while",
  watch({ pass, fail }) {
    const bad = new NewestMap<Past>()
    return {
      see(request) {
        const { authorization: key, status } = request
        if (key === undefined) return
        const past = bad.get(key)
        if (past && isAfter(request, past)) {
          bad.delete(key)
          if (status === 401) return fail('sent another request with the key', past, request)
        }
        if (status === 401 && !past) bad.set(key, toPast(request))
      },
      end() {
        for (const past of bad.values()) pass(past)
      },
    }
  },
}
