import { describe, expect, test } from 'vitest'
import { MESSAGES } from '../../contract/messages.ts'
import { distinctiveWord, ownDomain } from '../../src/panes/people/likelyPartners.ts'
import { readPastedPartners } from '../../src/panes/people/pastedPartners.ts'

describe('a partner is likely the same', () => {
  test('by the distinctive word of its name', () => {
    expect(
      ['Cint Inc.', 'The Quillon Research Group', 'Panel Market Research', 'Øst Panel', 'A & B'].map(distinctiveWord),
    ).toEqual(['cint', 'quillon', 'research', 'øst', ''])
  })

  test('by the domain of its address, if that is a company’s own', () => {
    expect(['ada@Quillon.test', 'ada@gmail.com', 'ada@yahoo.co.uk', 'ada@quillon', ''].map(ownDomain)).toEqual([
      '@quillon.test',
      '',
      '',
      '',
      '',
    ])
  })
})

describe('pasted partners', () => {
  const read = (text: string) => readPastedPartners(text)?.map(({ name, email, fault }) => [name, email, fault])

  test('are lines of name and email by comma, semicolon, tab or angle brackets, in either order', () => {
    expect(
      read(
        'Alto, alto@panel.test\nBass; bass@panel.test\r\n\nCello\tcello@panel.test\nDuo <duo@panel.test>\n"e@panel.test","Echo"',
      ),
    ).toEqual([
      ['Alto', 'alto@panel.test', null],
      ['Bass', 'bass@panel.test', null],
      ['Cello', 'cello@panel.test', null],
      ['Duo', 'duo@panel.test', null],
      ['Echo', 'e@panel.test', null],
    ])
  })

  test('may have no email', () =>
    expect(read('Alto\nBass')).toEqual([
      ['Alto', '', null],
      ['Bass', '', null],
    ]))

  test('say why a line is skipped: no name, no address, or the name of a line above', () => {
    expect(
      read(', a@panel.test\nBass, nowhere@\nbass@panel.test\nCello\ncello, b@panel.test')?.map(([, , fault]) => fault),
    ).toEqual([MESSAGES.partnerName, MESSAGES.inviteEmail, MESSAGES.partnerName, null, 'Same name as a line above'])
  })

  test('are not a single line, which is pasted as it is', () => expect(read('Alto, alto@panel.test\n')).toBeUndefined())
})
