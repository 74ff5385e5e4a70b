import { expect, test } from 'vitest'
import { personFields } from '../../contract/accountFields.ts'
import { readField } from '../../contract/fieldKinds.ts'
import { typedPhone } from '../../contract/foldText.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { showPhone } from '../../src/ui/PhoneInput.tsx'

const { phone } = personFields

test('a US number may have its country code, in forms and in calls', () => {
  for (const typed of ['+1 (503) 555-9807', '1 503 555 9807', '503.555.9807']) {
    expect(typedPhone(typed)).toBe('5035559807')
    expect(readField(phone, typed)).toEqual({ value: '5035559807' })
  }
})

test('a number of another country is refused as it was typed, and never cut to ten digits', () => {
  const typed = typedPhone('+49 170 1234567')
  expect(typed).toBe('+491701234567')
  expect(showPhone(typed)).toBe(typed)
  expect(readField(phone, typed)).toEqual({ fault: MESSAGES.phoneLength })
})

test('a field takes ten digits while a number is typed, key by key, or all that follow a plus', () => {
  const type = (keys: string) => [...keys].reduce((typed, key) => typedPhone(typed + key), '')
  expect(type('abc(212) 555-01349')).toBe('2125550134')
  expect(type('+1 503 555 9807')).toBe('5035559807')
  expect(type('+491701234567')).toBe('+491701234567')
  expect(type(`+49${'1'.repeat(40)}`)).toHaveLength(16)
})
