import tseslint from 'typescript-eslint';

/**
 * Forbids TypeORM's `save()` and `remove()`, and what is made of them, wherever their object comes
 * from.
 */
const queryBuilders = {
  meta: {
    type: 'problem',
    messages: {
      ownTransaction:
        '{{name}}() begins a transaction of its own, inside the one that the unit of work holds on ' +
        'the connection, and reads before it writes. Use insert, update, delete or a query builder.',
    },
    schema: [],
  },
  create(context) {
    const { parserServices } = context.sourceCode;
    return {
      'MemberExpression[property.name=/^(save|remove|softRemove|recover)$/]'({ object, property }) {
        const type = parserServices.getTypeAtLocation(object).getSymbol()?.name ?? '';
        if (/^(EntityManager|BaseEntity|\w*Repository)$/.test(type))
          context.report({ node: property, messageId: 'ownTransaction', data: { name: property.name } });
      },
    };
  },
};

export default tseslint.config(
  {
    ignores: [
      '**/dist',
      'node_modules',
      'coverage',
      'var',
      'clients/typescript/src/api.d.ts',
      'test/fixtures/**/*.cjs',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // `async` without `await` turns a thrown error into a rejection, as callers expect.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always'],
      // Prettier wraps code, but not comments.
      'max-len': ['error', { code: Infinity, comments: 100, ignoreUrls: true }],
    },
  },
  {
    // Class factories, where generics meet decorators.
    files: ['src/reference/base/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // Matchers (`expect.any`) and parsed bodies are `any`.
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'test/**', 'bench/**'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      // Tests replace methods of objects to make them fail, and print rows of unknown values.
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { typeorm: { rules: { 'query-builders': queryBuilders } } },
    rules: {
      'typeorm/query-builders': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ObjectExpression > Property[kind=/^[gs]et$/]',
          message:
            'V8 makes a hidden class for each such object, which keeps what the accessor refers to, a ' +
            'whole request perhaps, until a full garbage collection. Write a class with an accessor.',
        },
      ],
    },
  },
  { files: ['**/*.{js,mjs}'], ...tseslint.configs.disableTypeChecked },
);
