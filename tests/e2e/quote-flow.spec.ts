import { test } from '../support/e2e.ts'
import { quoteFlow } from './quote-flow.ts'

test.use({ viaSmtp: true })

test.describe('the whole way', { tag: '@quick' }, () => quoteFlow(test, 'SQLite'))
