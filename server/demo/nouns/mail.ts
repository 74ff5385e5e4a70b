import { costMails, invitationMails } from '../demoMails.ts'
import { demoNoun, type NounRows } from '../noun.ts'

export const mail = demoNoun({
  tables: ['mails'],
  after: ['user'],
  example: (nth) => ({ to_address: `somebody${nth}@mail.test`, subject: `Mail ${nth}`, body: 'Hello', secrets: null }),
})

export const rows: NounRows<'mails'> = {
  rows: (_, market) => ({ mails: invitationMails(market) }),
  ofProject: (_, market, draft) => ({ mails: costMails(market, draft) }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly mail: typeof mail
  }
}
