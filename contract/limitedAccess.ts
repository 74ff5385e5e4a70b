import type { CallId } from './calls.ts'

/*
 * TABLE  what only administrators may do, and an administrator's token limited to clients or projects may do there.
 * Each call names the fields of its input that refer to records, all of which must be inside the limit.
 * The server looks that up (server/core/withinLimit.ts). A call that isn't here stays closed to such tokens.
 * Fields that change a record without naming another aren't listed.
 */

/**
 * What a field refers to: a record of this kind, `shared` (belongs to no client: partners), or `closed`:
 * it could name a record of another client in a way that isn't checked, so such a token can't send it.
 */
export type Reference =
  | 'project'
  | 'client'
  | 'activity'
  | 'survey'
  | 'content'
  | 'note'
  | 'quota'
  | 'entryLink'
  | 'shared'
  | 'closed'

export const LIMITED = {
  'project.create': { client_id: 'client', partner_id: 'shared', parent_id: 'project' },
  'project.edit': {
    id: 'project',
    client_id: 'client',
    partner_id: 'shared',
    parent_id: 'project',
    project_docsigns_attributes: 'closed',
    campaign_contents_attributes: 'closed',
    activity: 'closed',
    target: 'closed',
  },
  'project.goLive': { id: 'project' },
  'project.remove': { id: 'project' },
  'project.clone': { id: 'project' },
  'project.removeTeam': { project_id: 'project' },
  'project.createChild': { project_id: 'project', copy: 'project', file_ids: 'closed' },
  'project.assignPartner': { project_id: 'project', partner_id: 'shared' },
  'project.assign': { project_id: 'project', quote_id: 'shared', partner_id: 'shared' },
  'project.quote': { id: 'project' },
  'project.proffers': { id: 'project' },
  'project.setCost': { id: 'project', shares: 'closed' },
  'project.notifyCostNow': { id: 'project' },
  'project.mailPartnerNow': { partner_id: 'shared', project_id: 'project' },

  'proffer.list': { campaign_id: 'project', project_id: 'project', partner_id: 'shared' },
  'invitation.create': { id: 'project', partner_ids: 'shared', file_ids: 'closed' },
  'invitation.edit': { id: 'project', partner_ids: 'shared', file_ids: 'closed' },
  'invitation.remind': { id: 'project', partner_ids: 'shared' },
  'invitation.revoke': { id: 'project', partner_id: 'shared' },

  'note.list': { id: 'project' },
  'note.get': { id: 'note' },
  'note.create': { project_id: 'project' },
  'note.edit': { note_id: 'note', project_id: 'project' },
  'note.remove': { id: 'note', note_id: 'note', project_id: 'project' },

  'activity.create': { project_id: 'project' },
  'activity.edit': { id: 'activity', file_ids: 'closed' },
  'activity.remove': { id: 'activity' },
  'activity.duplicate': { activity_id: 'activity' },
  'activity.linkSurvey': { activity_id: 'activity', survey_id: 'survey' },
  'target.create': { activity_id: 'activity' },
  'target.edit': { activity_id: 'activity' },
  'target.check': { activity_id: 'activity' },
  'target.copy': { activity_id: 'activity', to: 'activity' },
  'target.versions': { id: 'activity' },
  'target.completes': { id: 'activity' },

  'survey.create': {
    project_id: 'project',
    survey_project_id: 'shared',
    vendor_survey_id: 'shared',
    source_file_id: 'closed',
    activity_id: 'activity',
  },
  'survey.edit': { id: 'survey', vendor_survey_id: 'shared', source_file_id: 'closed', activity_id: 'activity' },
  'survey.remove': { id: 'survey' },
  'survey.questions': { id: 'survey' },
  'survey.comparison': { id: 'survey' },
  'runtime.rewards': { surveyId: 'survey' },
  'runtime.clearFraud': { surveyId: 'survey' },

  'quota.create': { id: 'project', survey_id: 'survey' },
  'quota.edit': { id: 'quota' },
  'quota.cells': { id: 'quota' },
  'quota.live': { id: 'quota' },
  'quota.end': { id: 'quota' },
  'quota.decisions': { id: 'quota' },
  'quota.arrivals': { id: 'quota' },

  'entryLink.ofProject': { id: 'project' },
  'entryLink.get': { id: 'entryLink' },
  'entryLink.edit': { id: 'entryLink', exclude_project_ids: 'project' },
  'entryLink.remove': { id: 'entryLink' },
  'entryLink.pause': { id: 'entryLink' },
  'entryLink.resume': { id: 'entryLink' },
  'entryLink.test': { id: 'entryLink' },
  'fieldSession.list': { project_id: 'project', partner_id: 'shared' },

  'content.actors': { id: 'activity' },
  'content.respondents': { id: 'activity' },
  'content.review': { id: 'content' },
  'content.reviewMany': { ids: 'content' },
  'content.rotate': { ids: 'content' },
} as const satisfies Partial<Record<CallId, Readonly<Record<string, Reference>>>>

/** Returns the references in a call's input; null if it is closed to limited tokens. */
export const referencesOf = (id: CallId): Readonly<Record<string, Reference>> | null =>
  Object.hasOwn(LIMITED, id) ? LIMITED[id as keyof typeof LIMITED] : null
