export function toPage(results: readonly { name: string; outcome: string; reason?: string }[]): string
