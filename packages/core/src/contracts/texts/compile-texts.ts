import type { Catalogue } from './catalogue.ts';

export const compileTexts = {
  'compile.import-leaves-plugin': {
    en: '{file} imports {specifier}, which belongs to another plugin: {file} stands in {own}, {target} in {other}.',
    zh: '{file} 导入了 {specifier}，但它属于另一个插件：{file} 位于 {own}，{target} 位于 {other}。',
  },
  'compile.import-leaves-plugin-hint': {
    en: 'A plugin must work wherever it is put: move the shared code into a package and import that, or keep a copy in {own}.',
    zh: '插件放在哪里都应能工作：请把共用代码做成一个包再导入，或在 {own} 中保留一份。',
  },
  'compile.import-climbs-into-src': {
    en: '{file} imports {specifier}, which climbs from {capability} into {src}, where the plugin keeps its inner code.',
    zh: '{file} 导入了 {specifier}，从 {capability} 向上引用了 {src} 中的插件内部实现。',
  },
  'compile.import-climbs-into-src-hint': {
    en: 'Offer what is shared as a package with a stable API, or import it in one bridge module of the skill, agent or plugin that {capability} belongs to, and import that module.',
    zh: '请把共用部分做成具有稳定 API 的包，或由 {capability} 所属的 Skill、Agent 或插件用一个桥接模块集中引入，再导入该模块。',
  },
  'compile.missing-package': {
    en: '{file} imports {specifier}, but the package {package} is not installed.',
    zh: '{file} 导入了 {specifier}，但未安装包 {package}。',
  },
  'compile.missing-package-hint': {
    en: 'Run npm install {package} in the folder of the package.json nearest to {file}, or correct the name.',
    zh: '请在离 {file} 最近的 package.json 所在文件夹中运行 npm install {package}，或更正名称。',
  },
  'compile.missing-package-did-you-mean': {
    en: 'Did you mean {name}? Else run npm install {package}.',
    zh: '是否想写 {name}？否则请运行 npm install {package}。',
  },
} as const satisfies Catalogue;
