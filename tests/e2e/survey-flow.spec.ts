import { test } from '../support/e2e.ts'
import { surveyFlow } from './survey-flow.ts'

surveyFlow(test, 'SQLite')
