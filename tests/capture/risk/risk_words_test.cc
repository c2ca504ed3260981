#include <gtest/gtest.h>

#include "capture/risk/risk_policy.h"
#include "schema/names.h"
#include "tests/capture/risk/risk_builders.h"

// Which labels are stopped and which are harmless, language by language.
namespace topodb::capture {
namespace {

using enum RiskCategory;

struct LabelCase {
  const char* label;
  RiskCategory want;
};

// As a button, which is what a label must be stopped on.
void ExpectButtons(const std::vector<LabelCase>& cases) {
  for (const auto& c : cases) {
    SCOPED_TRACE(c.label);
    const auto verdict = Assess(Button(c.label));
    EXPECT_EQ(ToString(verdict.category), ToString(c.want)) << verdict.evidence.front().description;
    EXPECT_EQ(verdict.allowed, c.want == kUiReveal);
    EXPECT_EQ(verdict.level, c.want == kUiReveal ? RiskLevel::kLow : RiskLevel::kHigh);
  }
}

TEST(RiskWords, StopsEveryTermOfTheFirstGeneration) {
  ExpectButtons({
      {"delete", kDestructive},        {"remove", kDestructive},
      {"destroy", kDestructive},       {"drop", kDestructive},
      {"pay", kPaymentSensitive},      {"payment", kPaymentSensitive},
      {"purchase", kPaymentSensitive}, {"checkout", kPaymentSensitive},
      {"logout", kAuthSensitive},      {"sign out", kAuthSensitive},
      {"authorize", kAuthSensitive},   {"login", kAuthSensitive},
      {"submit", kFormSubmit},         {"confirm", kFormSubmit},
      {"删除", kDestructive},          {"移除", kDestructive},
      {"支付", kPaymentSensitive},     {"购买", kPaymentSensitive},
      {"授权", kAuthSensitive},        {"注销", kAuthSensitive},
      {"退出", kAuthSensitive},        {"提交", kFormSubmit},
      {"确认", kFormSubmit},           {"提交订单", kFormSubmit},
      {"确认支付", kPaymentSensitive}, {"删除账户", kDestructive},
      {"立即购买", kPaymentSensitive}, {"退出登录", kAuthSensitive},
  });
}

TEST(RiskWords, StopsWhatMustBeStopped) {
  ExpectButtons({
      {"Erase everything", kDestructive},
      {"Deactivate account", kDestructive},
      {"Buy now", kPaymentSensitive},
      {"Place order", kPaymentSensitive},
      {"Unsubscribe", kDestructive},
      {"Transfer funds", kPaymentSensitive},
      {"Löschen", kDestructive},
      {"Supprimer", kDestructive},
      {"削除", kDestructive},
      {"🗑", kDestructive},
      {"🗑️", kDestructive},
      {"Reset device", kDestructive},
      {"Log out", kAuthSensitive},
      {"Logout", kAuthSensitive},
      {"Sign out", kAuthSensitive},
      {"Log-out", kAuthSensitive},
      {"SIGN OUT", kAuthSensitive},
      {"LogOut", kAuthSensitive},
      {"sign_out", kAuthSensitive},
      {"Cancel subscription", kDestructive},
      {"Cancel my subscription", kDestructive},
      {"Save", kDataMutation},
      {"Shutdown", kDestructive},
      {"Shut down", kDestructive},
      {"Restart", kDestructive},
      {"Deploy", kDataMutation},
      {"Drop", kDestructive},
      {"Empty", kDestructive},
      {"Empty trash", kDestructive},
      {"Truncate", kDestructive},
      {"Truncate table", kDestructive},
      {"Protect", kDataMutation},
      {"Move", kDataMutation},
      {"Move to folder", kDataMutation},
      {"Trash", kDestructive},
      {"Unpublish", kDataMutation},
      {"Exit", kAuthSensitive},
      {"Save changes", kDataMutation},
  });
}

TEST(RiskWords, LeavesDescriptionsAndCompoundsAlone) {
  ExpectButtons({
      {"Payload viewer", kUiReveal},
      {"Confirmation history", kUiReveal},
      {"Removed items archive", kUiReveal},
      {"Open dropdown", kUiReveal},
      {"Raindrop theme", kUiReveal},
      {"Repaying guide", kUiReveal},
      {"Drop-down menu", kUiReveal},
      {"Drop shadow", kUiReveal},
      {"Payment history", kUiReveal},
      {"View payment", kUiReveal},
      {"Order history", kUiReveal},
      {"Purchase history", kUiReveal},
      {"Login history", kUiReveal},
      {"Deleted files", kUiReveal},
      {"Paid invoices", kUiReveal},
      {"Submitted forms", kUiReveal},
      {"Confirmed bookings", kUiReveal},
      {"Unpaid", kUiReveal},
      {"Payroll", kUiReveal},
      {"Buyer protection", kUiReveal},
      {"Display", kUiReveal},
      {"Savings", kUiReveal},
      {"Movement", kUiReveal},
      {"Movie trailer", kUiReveal},
      {"Clear filters", kUiReveal},
      {"Updates", kUiReveal},
      {"Orders", kUiReveal},
      {"Resetting", kDestructive},
      {"Cancel", kUiReveal},
      {"Close", kUiReveal},
      {"Details", kUiReveal},
      {"More", kUiReveal},
      {"Expand", kUiReveal},
      {"Edit", kUiReveal},
      {"Exit fullscreen", kUiReveal},
      {"Premium", kUiReveal},
      {"Eliminations", kUiReveal},
      {"Archives", kUiReveal},
      {"Deployments", kUiReveal},
      {"Emptiness", kUiReveal},
      {"Removable media", kUiReveal},
      {"Wiped", kUiReveal},
      {"Shutdowns in 2020", kDestructive},
      {"", kUiReveal},
      {"…", kUiReveal},
      {"×", kUiReveal},
  });
}

TEST(RiskWords, MatchesInflectionsAndSpellings) {
  ExpectButtons({
      {"Deletes this row", kDestructive},
      {"Deleting", kDestructive},
      {"Deleting your account", kDestructive},
      {"Deleting files guide", kUiReveal},
      {"Removes", kDestructive},
      {"Payments", kPaymentSensitive},
      {"Make a payment", kPaymentSensitive},
      {"Proceed to checkout", kPaymentSensitive},
      {"Checkout with card", kPaymentSensitive},
      {"Paying", kPaymentSensitive},
      {"Submitting", kFormSubmit},
      {"Logging out", kAuthSensitive},
      {"Log me out", kAuthSensitive},
      {"Yes, delete it", kDestructive},
      {"I understand, delete this repository", kDestructive},
      {"Please confirm", kFormSubmit},
      {"deleteItem", kDestructive},
      {"bulk-delete", kDestructive},
      {"delete_user", kDestructive},
      {"dElete", kDestructive},
      {"ＤＥＬＥＴＥ", kDestructive},
      {"De\u00ADlete", kDestructive},
      {"Delete\u200B", kDestructive},
      {"Save & exit", kDataMutation},
      {"Delete (3)", kDestructive},
      {"✖ Delete", kDestructive},
      {"Settings / Delete", kDestructive},
      {"Click here to delete", kDestructive},
      {"Click here to save", kDataMutation},
      {"3 selected: Move", kDataMutation},
      {"Don't delete", kDestructive},
  });
}

TEST(RiskWords, KnowsSoftVerbsByTheirPlace) {
  ExpectButtons({
      {"Order", kPaymentSensitive},   {"Order a taxi", kPaymentSensitive},
      {"Sort order", kUiReveal},      {"Transfer", kPaymentSensitive},
      {"Data transfer", kUiReveal},   {"Reset", kDestructive},
      {"Restore", kDataMutation},     {"Update", kDataMutation},
      {"Latest update", kUiReveal},   {"Follow", kDataMutation},
      {"Post", kDataMutation},        {"Blog post", kUiReveal},
      {"Like", kDataMutation},        {"Things I like about it", kUiReveal},
      {"Leave group", kDestructive},  {"Annual leave", kUiReveal},
      {"Duplicate", kDataMutation},   {"Find duplicate files", kUiReveal},
      {"Upload file", kDataMutation}, {"File upload limits", kUiReveal},
  });
}

TEST(RiskWords, KnowsGerman) {
  ExpectButtons({
      {"Konto löschen", kDestructive},
      {"LÖSCHEN", kDestructive},
      {"Loeschen", kDestructive},
      {"Entfernen", kDestructive},
      {"Kündigen", kDestructive},
      {"Zurücksetzen", kDestructive},
      {"Jetzt kaufen", kPaymentSensitive},
      {"Bezahlen", kPaymentSensitive},
      {"Zahlungspflichtig bestellen", kPaymentSensitive},
      {"Zur Kasse", kPaymentSensitive},
      {"Abmelden", kAuthSensitive},
      {"Anmelden", kAuthSensitive},
      {"Absenden", kFormSubmit},
      {"Bestätigen", kFormSubmit},
      {"Speichern", kDataMutation},
      {"Veröffentlichen", kDataMutation},
      {"Gelöschte Elemente", kUiReveal},
      {"Zahlen & Fakten", kUiReveal},
      {"Löschzug", kUiReveal},
      {"Kaufberatung", kUiReveal},
      {"Details anzeigen", kUiReveal},
  });
}

TEST(RiskWords, KnowsFrenchSpanishPortugueseItalian) {
  ExpectButtons({
      {"Supprimer le compte", kDestructive},
      {"SUPPRIMER", kDestructive},
      {"Vider la corbeille", kDestructive},
      {"Se désabonner", kDestructive},
      {"Payer", kPaymentSensitive},
      {"Acheter", kPaymentSensitive},
      {"Passer la commande", kPaymentSensitive},
      {"Se déconnecter", kAuthSensitive},
      {"Déconnexion", kAuthSensitive},
      {"S'inscrire", kAuthSensitive},
      {"Envoyer", kFormSubmit},
      {"Valider", kFormSubmit},
      {"Enregistrer", kDataMutation},
      {"Éléments supprimés", kUiReveal},
      {"Annuler", kUiReveal},
      {"Annuler mon abonnement", kDestructive},
      {"Moyens utilisés", kUiReveal},

      {"Eliminar cuenta", kDestructive},
      {"Borrar", kDestructive},
      {"Darse de baja", kDestructive},
      {"Cancelar la suscripción", kDestructive},
      {"Comprar ahora", kPaymentSensitive},
      {"Pagar", kPaymentSensitive},
      {"Realizar pedido", kPaymentSensitive},
      {"Cerrar sesión", kAuthSensitive},
      {"Iniciar sesión", kAuthSensitive},
      {"Salir", kAuthSensitive},
      {"Enviar", kFormSubmit},
      {"Guardar", kDataMutation},
      {"Elementos eliminados", kUiReveal},
      {"Ver más", kUiReveal},

      {"Excluir conta", kDestructive},
      {"Apagar", kDestructive},
      {"Remover", kDestructive},
      {"Finalizar compra", kPaymentSensitive},
      {"Comprar", kPaymentSensitive},
      {"Sair", kAuthSensitive},
      {"Encerrar sessão", kAuthSensitive},
      {"Salvar", kDataMutation},
      {"Confirmar", kFormSubmit},
      {"Itens excluídos", kUiReveal},
      {"Ver tudo", kUiReveal},

      {"Elimina", kDestructive},
      {"Cancella account", kDestructive},
      {"Rimuovi", kDestructive},
      {"Svuota cestino", kDestructive},
      {"Acquista", kPaymentSensitive},
      {"Paga ora", kPaymentSensitive},
      {"Esci", kAuthSensitive},
      {"Accedi", kAuthSensitive},
      {"Invia", kFormSubmit},
      {"Conferma", kFormSubmit},
      {"Salva", kDataMutation},
      {"Elementi eliminati", kUiReveal},
      {"Mostra tutto", kUiReveal},
  });
}

TEST(RiskWords, KnowsDutchPolishTurkishRussian) {
  ExpectButtons({
      {"Verwijderen", kDestructive},
      {"Account verwijderen", kDestructive},
      {"Alles wissen", kDestructive},
      {"Wissen", kDestructive},
      {"Nu kopen", kPaymentSensitive},
      {"Betalen", kPaymentSensitive},
      {"Uitloggen", kAuthSensitive},
      {"Verzenden", kFormSubmit},
      {"Opslaan", kDataMutation},
      {"Verwijderde items", kUiReveal},
      {"Meer tonen", kUiReveal},

      {"Usuń", kDestructive},
      {"Usuń konto", kDestructive},
      {"Zapłać", kPaymentSensitive},
      {"Kup teraz", kPaymentSensitive},
      {"Złóż zamówienie", kPaymentSensitive},
      {"Wyloguj się", kAuthSensitive},
      {"Zaloguj", kAuthSensitive},
      {"Wyślij", kFormSubmit},
      {"Zapisz", kDataMutation},
      {"Usunięte elementy", kUiReveal},
      {"Pokaż więcej", kUiReveal},

      {"Sil", kDestructive},
      {"SİL", kDestructive},
      {"SIL", kDestructive},
      {"Hesabı sil", kDestructive},
      {"Kaldır", kDestructive},
      {"Satın al", kPaymentSensitive},
      {"Öde", kPaymentSensitive},
      {"Çıkış yap", kAuthSensitive},
      {"ÇIKIŞ", kAuthSensitive},
      {"Giriş yap", kAuthSensitive},
      {"Gönder", kFormSubmit},
      {"Kaydet", kDataMutation},
      {"Silinen öğeler", kUiReveal},
      {"Daha fazla göster", kUiReveal},

      {"Удалить", kDestructive},
      {"УДАЛИТЬ АККАУНТ", kDestructive},
      {"Отписаться", kDestructive},
      {"Очистить корзину", kDestructive},
      {"Купить", kPaymentSensitive},
      {"Оплатить", kPaymentSensitive},
      {"Оформить заказ", kPaymentSensitive},
      {"Выйти", kAuthSensitive},
      {"Войти", kAuthSensitive},
      {"Отправить", kFormSubmit},
      {"Подтвердить", kFormSubmit},
      {"Сохранить", kDataMutation},
      {"Удалённые", kUiReveal},
      {"Оплата и доставка", kUiReveal},
      {"Показать ещё", kUiReveal},
  });
}

TEST(RiskWords, KnowsArabicAndHindi) {
  ExpectButtons({
      {"حذف", kDestructive},
      {"حذف الحساب", kDestructive},
      {"إلغاء الاشتراك", kDestructive},
      {"الغاء الاشتراك", kDestructive},
      {"شراء الآن", kPaymentSensitive},
      {"ادفع", kPaymentSensitive},
      {"تسجيل الخروج", kAuthSensitive},
      {"تسجيل الدخول", kAuthSensitive},
      {"إرسال", kFormSubmit},
      {"تأكيد", kFormSubmit},
      {"حفظ", kDataMutation},
      {"حِفْظ", kDataMutation},
      {"المحذوفات", kUiReveal},
      {"المزيد", kUiReveal},
      {"إلغاء", kUiReveal},

      {"हटाएं", kDestructive},
      {"खाता हटाएँ", kDestructive},
      {"मिटाएं", kDestructive},
      {"अभी खरीदें", kPaymentSensitive},
      {"भुगतान करें", kPaymentSensitive},
      {"लॉग आउट", kAuthSensitive},
      {"लॉगिन", kAuthSensitive},
      {"जमा करें", kFormSubmit},
      {"सहेजें", kDataMutation},
      {"हटाए गए आइटम", kUiReveal},
      {"और देखें", kUiReveal},
      {"भुगतान इतिहास", kUiReveal},
  });
}

TEST(RiskWords, KnowsChineseJapaneseKoreanThai) {
  ExpectButtons({
      {"刪除帳號", kDestructive},
      {"清空回收站", kDestructive},
      {"取消订阅", kDestructive},
      {"恢复出厂设置", kDestructive},
      {"付款", kPaymentSensitive},
      {"結帳", kPaymentSensitive},
      {"转账", kPaymentSensitive},
      {"登出", kAuthSensitive},
      {"登录", kAuthSensitive},
      {"送出", kFormSubmit},
      {"保存", kDataMutation},
      {"发布", kDataMutation},
      {"已删除", kUiReveal},
      {"支付记录", kUiReveal},
      {"购买指南", kUiReveal},
      {"提交历史", kUiReveal},
      {"已确认", kUiReveal},
      {"查看详情", kUiReveal},
      {"更多", kUiReveal},

      {"アカウントを削除", kDestructive},
      {"退会する", kDestructive},
      {"初期化", kDestructive},
      {"購入する", kPaymentSensitive},
      {"注文を確定する", kPaymentSensitive},
      {"お支払い", kPaymentSensitive},
      {"ログアウト", kAuthSensitive},
      {"ﾛｸﾞｱｳﾄ", kAuthSensitive},
      {"送信", kFormSubmit},
      {"保存", kDataMutation},
      {"変更を保存する", kDataMutation},
      {"削除済み", kUiReveal},
      {"購入履歴", kUiReveal},
      {"お支払い方法", kUiReveal},
      {"ドロップダウン", kUiReveal},
      {"もっと見る", kUiReveal},

      {"삭제", kDestructive},
      {"계정 삭제하기", kDestructive},
      {"회원 탈퇴", kDestructive},
      {"구독 취소", kDestructive},
      {"결제하기", kPaymentSensitive},
      {"구매", kPaymentSensitive},
      {"로그아웃", kAuthSensitive},
      {"로그 아웃", kAuthSensitive},
      {"제출", kFormSubmit},
      {"확인", kFormSubmit},
      {"저장", kDataMutation},
      {"삭제된 항목", kUiReveal},
      {"결제 내역", kUiReveal},
      {"저장소", kUiReveal},
      {"더 보기", kUiReveal},

      {"ลบบัญชี", kDestructive},
      {"ชำระเงิน", kPaymentSensitive},
      {"ออกจากระบบ", kAuthSensitive},
      {"ทะเลบัวแดง", kUiReveal},
  });
}

TEST(RiskWords, TheGravestCategoryWins) {
  ExpectButtons({
      {"Confirm and delete", kDestructive},
      {"Confirm payment", kPaymentSensitive},
      {"Log in and pay", kPaymentSensitive},
      {"Save and submit", kFormSubmit},
      {"Save and log out", kAuthSensitive},
      {"Submit deletion", kDestructive},
  });
}

}  // namespace
}  // namespace topodb::capture
