import { test } from '../support/e2e.ts'
import { locationFileFlow } from './location-file-flow.ts'

test.describe('the whole way', { tag: '@quick' }, () => locationFileFlow(test, 'SQLite'))
