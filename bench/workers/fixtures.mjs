/**
 * The data of a world with one owner of `count` plants, whose key is `key_owner`, and one stranger
 * with `key_stranger`.
 */
export function toFixtures(count) {
  return {
    accounts: ['owner', 'stranger'].map((name) => ({
      id: `acct_${name}`,
      name,
      email: `${name}@example.com`,
      plan: 'pro_plus',
    })),
    keys: ['owner', 'stranger'].map((name) => ({ secret: `key_${name}`, account: `acct_${name}` })),
    plants: Array.from({ length: count }, (_, id) => ({
      id: id + 1,
      name: `Plant ${id + 1}`,
      tag: 'bench',
      account: 'acct_owner',
    })),
  }
}

/** An id as Area B writes them: the digits of a number as letters. */
export function toId(prefix, number) {
  const letters = Array.from(String(number), (digit) => 'abcdefghij'[Number(digit)])
  return `${prefix}_${letters.join('').padStart(16, 'a')}`
}
