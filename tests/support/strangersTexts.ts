import { normalizeAddress, parseAddress } from '../../contract/address.ts'
import { stripBidi } from '../../contract/bidi.ts'
import { commonFault } from '../../contract/commonPassword.ts'
import { isEmail } from '../../contract/messages.ts'
import { csvLine, fileName } from '../../server/core/csv.ts'
import { openTable } from '../../server/core/tableFile.ts'
import { masked as maskedContent } from '../../server/domain/content/mask.ts'
import { fitting, withoutPersonal } from '../../server/domain/report/values.ts'
import { masked as maskedAnswer } from '../../server/domain/responses/mask.ts'
import { numberOf } from '../../server/domain/responses/responses.ts'
import { readAddresses } from '../../src/commands/emailAddresses.ts'
import { readPastedPartners } from '../../src/panes/people/pastedPartners.ts'
import { mended } from '../../src/routing/codec.ts'
import { readQuery } from '../../src/search/query.ts'
import { readDetail } from '../../src/search/secondLine.ts'

/** TABLE  what reads a stranger's text, with the longest one that may reach it. */
export const READERS: Readonly<Record<string, { longest: number; read: (text: string) => unknown }>> = {
  'an open answer for client users': { longest: 10_000, read: maskedAnswer },
  'a comment for client users': { longest: 5_000, read: maskedContent },
  'an answer in a report': { longest: 10_000, read: withoutPersonal },
  'a position in a report': { longest: 10_000, read: (text) => fitting('lat_long', text) },
  'a number in an answer': { longest: 10_000, read: numberOf },
  'a cell of an export': { longest: 10_000, read: (text) => csvLine([text]) },
  'the name of a file': { longest: 10_000, read: (text) => fileName(text, 'csv', '2026-11-29') },
  'a pasted address': { longest: 10_000, read: parseAddress },
  'an address to compare': { longest: 10_000, read: (text) => normalizeAddress(text, '02108') },
  'an email address': { longest: 10_000, read: isEmail },
  'pasted email addresses': { longest: 20_000, read: readAddresses },
  'pasted partners': { longest: 20_000, read: (text) => readPastedPartners(`${text}\n${text}`) },
  'a password': { longest: 10_000, read: (text) => commonFault(text, { email: 'a@b.test', first_name: 'A', last_name: 'B' }) },
  'a sentence with a name': { longest: 10_000, read: stripBidi },
  'a pasted link': { longest: 20_000, read: mended },
  'a search': { longest: 10_000, read: readQuery },
  'a second line': { longest: 10_000, read: readDetail },
  'a file of addresses': { longest: 60_000, read: (text) => openTable(Buffer.from(text), { workbook: false }).catch(() => null) },
}

/** TABLE  texts at whose every letter a pattern might try again. */
export const HOSTILE = [
  ...[
    'a',
    'é',
    '1',
    '0 ',
    ' ',
    '\t',
    '\v',
    '\n',
    ',',
    '.',
    ';',
    '!',
    '"',
    '<',
    '@',
    '(',
    '+',
    '-',
    '=',
    '%',
    '·',
    '\u0301',
    '😀',
  ],
  ...[
    'a@',
    '@a.',
    'a.',
    'a@a.',
    '1-a',
    '1 ',
    '-a-',
    ' a,',
    ', ',
    'A ',
    '<@',
    '"a',
    ';=',
    '\r\n',
    ' \v',
    '(at)',
    'a [dot] ',
    '<c>',
  ],
]

/** The least time of several readings of a text, in ms; some systems count processor time in steps of 4 ms. */
export async function timeOf(read: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 3; round++) {
    const before = performance.now()
    await read(text)
    least = Math.min(least, performance.now() - before)
  }
  return least
}
