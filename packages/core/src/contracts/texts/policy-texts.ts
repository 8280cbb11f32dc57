import type { Catalogue } from './catalogue.ts';

export const policyTexts = {
  'policy.admitted': { en: 'admitted', zh: '准入通过' },
  'policy.platform': {
    en: 'hidden: the platform is {found}, the tool wants {wanted}',
    zh: '不可见：平台为 {found}，该工具要求 {wanted}',
  },
  'policy.scope': {
    en: 'hidden: the scope is {found}, the tool wants {wanted}',
    zh: '不可见：场景为 {found}，该工具要求 {wanted}',
  },
  'policy.role': {
    en: 'hidden: the role is {found}, the tool wants at least {wanted}',
    zh: '不可见：角色为 {found}，该工具至少要求 {wanted}',
  },
  'policy.unreadable-rule': {
    en: 'hidden: the permission rule "{rule}" is not one that this version knows, so it admits nobody',
    zh: '不可见：当前版本不认识权限规则“{rule}”，因此不放行任何人',
  },
} as const satisfies Catalogue;
