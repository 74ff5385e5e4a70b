import { test } from '../support/e2e.ts'
import { clientReportFlow } from './client-report-flow.ts'

clientReportFlow(test, 'SQLite')
