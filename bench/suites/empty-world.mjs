import { test } from 'greenhouse-mock/vitest'

for (let number = 1; number <= 1_000; number++) test(`test ${number}`, ({ world }) => void world)
