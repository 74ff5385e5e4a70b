import { test } from '../support/e2e.ts'
import { formsFlow } from './forms-flow.ts'

test.describe('the whole way', { tag: '@quick' }, () => formsFlow(test, 'SQLite'))
