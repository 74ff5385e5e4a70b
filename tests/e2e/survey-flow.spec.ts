import { test } from '../support/e2e.ts'
import { surveyFlow } from './survey-flow.ts'

test.describe('the whole way', { tag: '@quick' }, () => surveyFlow(test, 'SQLite'))
