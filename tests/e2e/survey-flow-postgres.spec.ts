import { test } from '../support/e2e.ts'
import { surveyFlow } from './survey-flow.ts'

test.use({ engine: 'postgres' })

surveyFlow(test, 'PostgreSQL')
