import { describe, expect, test } from 'vitest'
import { commonFault } from '../../contract/commonPassword.ts'
import { strongPassword } from '../../contract/messages.ts'
import { checkRows } from './rows.ts'

const ana = { email: 'ana.lopez@harvest-pine.example', first_name: 'Ana', last_name: 'Lopez' }

describe('a password that satisfies the rule', () => {
  test('is refused', () => {
    checkRows(
      [
        'Password1!',
        'P@ssw0rd1',
        'Pa$$w0rd',
        'Passw0rd!',
        'Welcome-2026',
        'Qwerty123!',
        'Summer2026!',
        '!QAZ2wsx',
        'Letmein#1',
        'Admin123!',
        'Abcd1234!',
        'Pass-word-1',
        'Iloveyou1!',
        'Test-test-1',
        'Aaaaaa1!',
        'Lopez-1984',
        'Ana.Lopez1',
      ],
      (password) => {
        expect(commonFault(password, ana)).toMatch(/Choose another one/)
      },
    )
  })

  test('is accepted if it isn’t one', () => {
    checkRows(
      ['Good-pass-1', 'Brand-new-77', 'Another-Word-2!', 'correct Horse 7 battery', 'Gr4vel-Sunday-boat', 'xK9#mQ2vLp'],
      (password) => {
        expect([strongPassword(password), commonFault(password, ana)]).toEqual([true, null])
      },
    )
  })
})

test('letters of every script count by their case', () => {
  checkRows(['Ünï-code9x', 'Жук-и-кот-7', 'Straße-7-Ä'], (password) => {
    expect(strongPassword(password)).toBe(true)
  })
  // An ö is a letter and no symbol.
  checkRows(['Passwörd12', 'ünï-code9x', 'ÜNÏ-CODE9X'], (password) => {
    expect(strongPassword(password)).toBe(false)
  })
})
