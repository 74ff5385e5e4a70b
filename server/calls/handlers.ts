import type { Calls } from '../../contract/calls.ts'
import type { HandlersOf } from '../core/handler.ts'
import { accountHandlers } from './account.ts'
import { activityHandlers } from './activity.ts'
import { campaignHandlers } from './campaign.ts'
import { clientHandlers } from './client.ts'
import { entryHandlers } from './entry.ts'
import { fileHandlers } from './file.ts'
import { jobHandlers } from './job.ts'
import { noteHandlers } from './note.ts'
import { partnerHandlers } from './partner.ts'
import { placeHandlers } from './place.ts'
import { projectHandlers } from './project.ts'
import { quoteHandlers } from './quote.ts'
import { requestHandlers } from './request.ts'
import { runtimeHandlers } from './runtime.ts'
import { sessionHandlers } from './session.ts'
import { surveyHandlers } from './survey.ts'
import { undoHandlers } from './undo.ts'
import { userHandlers } from './user.ts'
import { viewHandlers } from './view.ts'
import { workspaceHandlers } from './workspace.ts'

/** A handler for every row of the calls table; tsc names the one that is missing. */
export const handlers: HandlersOf<Calls> = {
  ...sessionHandlers,
  ...accountHandlers,
  ...userHandlers,
  ...clientHandlers,
  ...partnerHandlers,
  ...projectHandlers,
  ...requestHandlers,
  ...campaignHandlers,
  ...quoteHandlers,
  ...noteHandlers,
  ...activityHandlers,
  ...surveyHandlers,
  ...runtimeHandlers,
  ...entryHandlers,
  ...fileHandlers,
  ...jobHandlers,
  ...placeHandlers,
  ...workspaceHandlers,
  ...viewHandlers,
  ...undoHandlers,
}
