import { checkFieldNames } from '../../unknown-fields.ts'
import { defineRule } from '../rule.ts'

export const unknownFieldRule = defineRule({
  id: 'unknown-field',
  about: 'body',
  finds: 'a field of the body that the operation does not have, also within objects',
  check({ operation, sent, area, assume }, problems) {
    if (operation?.body && sent && !area.keepsUnknownFields?.({ assume }))
      checkFieldNames(sent, operation.body, problems)
  },
})
