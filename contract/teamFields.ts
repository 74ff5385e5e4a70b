import { field } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

/** The fields of a team: users of a client who see some of its projects. */
export const teamFields = {
  client_id: field.record('Client', { of: 'client', required: MESSAGES.chooseClient, creates: true, was: 'client' }),
  name: field.name('Team name', { short: 'Name', required: MESSAGES.teamName, tooLong: MESSAGES.teamLength }),
  user_ids: field.records('Users', { of: 'user', most: 1000, creates: true, was: 'users' }),
  project_ids: field.records('Projects', { of: ['project', 'campaign'], most: 1000, creates: true, was: 'projects' }),
}
