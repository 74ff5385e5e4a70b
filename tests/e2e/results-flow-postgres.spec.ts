import { test } from '../support/e2e.ts'
import { clientReportFlow } from './client-report-flow.ts'
import { responsesFlow } from './responses-flow.ts'

test.use({ engine: 'postgres' })

responsesFlow(test, 'PostgreSQL')
clientReportFlow(test, 'PostgreSQL')
