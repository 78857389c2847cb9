import { test } from 'greenhouse-mock/playwright'

test('takes a world', ({ world }) => void world)
