import { count, counted } from '../../../contract/format.ts'
import { effectOf, quotedName, sentenceOf } from '../../../contract/writeEffects.ts'
import { ask, command } from '../command.ts'
import { sendVisits } from '../sendVisits.ts'

/** Imports visits from a file (screens-visitation.md, Intake), like `npm run ingest -- … --visits`. */
export const visitFileCommands = {
  'visit.import': command({
    title: 'Import visits…',
    detail: 'from a CSV or NDJSON file, one visit per line',
    on: 'service',
    keywords: 'upload file csv ndjson jsonl devices intake',
    icon: 'upload',
    irreversible: true,
    asks: { files: ask.file({ label: 'File of visits', types: ['csv', 'ndjson', 'jsonl'] }) },
    confirm: ([service], { files }) => ({
      title: `Import visits into “${service!.name}”?`,
      body: `The visits of ${files?.[0]?.name ?? 'the file'} are added. Lines imported before count once.`,
      action: 'Import',
    }),
    async run({ api, subject, answers, progress, signal }) {
      const [file] = answers.files
      if (!file) throw new Error('Choose a file.')
      const { added, repeated, venues, refused, errors } = await sendVisits(file, {
        signal,
        progress: (done) => progress(done, file.size, 'sending visits'),
        send: (rows) => api.write('visit.ingest', { rows, service_id: subject.id }, { signal }),
      })
      const parts = [
        ` to ${quotedName(subject.name)}`,
        repeated ? `${count(repeated)} known already` : '',
        venues ? `${counted(venues, 'venue')} added` : '',
      ]
      const facts = { count: added, words: ['visit', 'visits'], rest: parts.filter(Boolean).join(', ') } as const
      const message = sentenceOf(effectOf('visit.ingest'), facts, 'after')
      if (!refused) return { message }
      return {
        dialog: { title: `${counted(refused, 'line')} refused`, body: `${message} The first errors:`, copy: errors.join('\n') },
      }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof visitFileCommands> {}
}
