/** Returns a key that names its world: `key_pro@checkout`. */
export function keyIn(world: string, key: string): string {
  if (world === 'default') return key
  return `${key}@${world}`
}

/** Returns a key without the world that it can name: `key_pro@checkout`. */
export function withoutWorld(secret: string): string {
  const at = secret.lastIndexOf('@')
  if (at > 0 && /^[\w.-]{1,64}$/.test(secret.slice(at + 1))) return secret.slice(0, at)
  return secret
}
