import { command } from '../command.ts'

/** Recounts all visits (screens-visitation.md, app-settings). */
export const rebuildCommands = {
  'visit.rebuild': command({
    title: 'Rebuild from raw visits…',
    on: 'nothing',
    group: 'help',
    keywords: 'visitation recount count again time zone',
    icon: 'repeat',
    // It counts stored visits again, so there is nothing to restore.
    undo: 'needless',
    confirm: () => ({
      title: 'Recount all visits?',
      body: 'A job counts every service from the raw visits that are kept. Closed months stay as they were counted, and figures stay readable meanwhile.',
      action: 'Rebuild',
    }),
    async run({ api, workspace }) {
      const { data, message } = await api.write('visit.rebuild', {})
      workspace.follow(data.id, 'Visits recounted')
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof rebuildCommands> {}
}
